// no such block
>> {"jsonrpc":"2.0","id":1,"method":"explorer_search","params":["999"]}
<< {"jsonrpc":"2.0","id":1,"result":{"items":[],"lookedUp":["block number"],"suggestions":[]}}
