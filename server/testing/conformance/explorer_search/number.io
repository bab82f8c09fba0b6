// a block
>> {"jsonrpc":"2.0","id":1,"method":"explorer_search","params":["3"]}
<< {"jsonrpc":"2.0","id":1,"result":{"items":[{"kind":"block","id":"3","label":"Block 3"}],"lookedUp":["block number"],"suggestions":[]}}
