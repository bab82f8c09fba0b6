// none inside
>> {"jsonrpc":"2.0","id":1,"method":"ots_getInternalOperations","params":["0xd1bbb0ade01fdbaf49727a37207bdab18a402653091c5def815aa092d1499999"]}
<< {"jsonrpc":"2.0","id":1,"result":[]}
