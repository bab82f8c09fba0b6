// no form of anything
>> {"jsonrpc":"2.0","id":1,"method":"explorer_search","params":["hello"]}
<< {"jsonrpc":"2.0","id":1,"result":{"items":[],"lookedUp":["name","method"],"suggestions":[]}}
