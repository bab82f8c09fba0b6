// one transaction
>> {"jsonrpc":"2.0","id":1,"method":"eth_getBlockTransactionCountByHash","params":["0xd9c85a74374dc886fc12ec446bd829ae1224226909835325668a4c4aedc634c5"]}
<< {"jsonrpc":"2.0","id":1,"result":"0x1"}
