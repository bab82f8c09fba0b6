// nothing
>> {"jsonrpc":"2.0","id":1,"method":"explorer_getExchange","params":["unknown22222"]}
<< {"jsonrpc":"2.0","id":1,"result":null}
>> {"jsonrpc":"2.0","id":1,"method":"explorer_getExchange","params":["0x00000000000000000000000000000000000000000000000000000000deadbeef"]}
<< {"jsonrpc":"2.0","id":1,"result":null}
