// null
>> {"jsonrpc":"2.0","id":1,"method":"eth_getRawTransactionByBlockNumberAndIndex","params":["0x5","0x1"]}
<< {"jsonrpc":"2.0","id":1,"result":null}
