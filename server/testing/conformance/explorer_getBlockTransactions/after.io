// past the last
>> {"jsonrpc":"2.0","id":1,"method":"explorer_getBlockTransactions","params":["0x5",{"after":"0x0"}]}
<< {"jsonrpc":"2.0","id":1,"result":{"items":[],"next":null}}
