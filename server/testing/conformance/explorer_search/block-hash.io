// a block
>> {"jsonrpc":"2.0","id":1,"method":"explorer_search","params":["0x77fc8c34dd45872fd868819c010b8061d2fb81a8ccc37c12228a4702c4f90091"]}
<< {"jsonrpc":"2.0","id":1,"result":{"items":[{"kind":"block","id":"3","label":"Block 3"}],"lookedUp":["transaction hash","block hash","payment ID"],"suggestions":[]}}
