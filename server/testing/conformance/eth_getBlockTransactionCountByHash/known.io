// one transaction
>> {"jsonrpc":"2.0","id":1,"method":"eth_getBlockTransactionCountByHash","params":["0x90b2d19250b9a7678a3c7df0d67f4440808ab8d3589c8b0acb0df9e94a392352"]}
<< {"jsonrpc":"2.0","id":1,"result":"0x1"}
