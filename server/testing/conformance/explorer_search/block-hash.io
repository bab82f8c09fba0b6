// a block
>> {"jsonrpc":"2.0","id":1,"method":"explorer_search","params":["0x52a8bf4e8090bb9d726ededdc5c95ea05317323248ef5a640eb6f3ead536f520"]}
<< {"jsonrpc":"2.0","id":1,"result":{"items":[{"kind":"block","id":"3","label":"Block 3"}],"lookedUp":["transaction hash","block hash"]}}
