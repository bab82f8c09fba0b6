// a waiting one
>> {"jsonrpc":"2.0","id":1,"method":"explorer_search","params":["3637d05fa875008092832a26134dffe4075aa0282d47bd364533608671cd99a5"]}
<< {"jsonrpc":"2.0","id":1,"result":{"items":[{"kind":"pending","id":"0x3637d05fa875008092832a26134dffe4075aa0282d47bd364533608671cd99a5","label":"Pending transaction"}],"lookedUp":["transaction hash","block hash","payment ID"],"suggestions":[]}}
