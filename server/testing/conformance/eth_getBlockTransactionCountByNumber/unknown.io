// null
>> {"jsonrpc":"2.0","id":1,"method":"eth_getBlockTransactionCountByNumber","params":["0x1000"]}
<< {"jsonrpc":"2.0","id":1,"result":null}
