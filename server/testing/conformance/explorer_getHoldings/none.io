// an account without tokens
>> {"jsonrpc":"2.0","id":1,"method":"explorer_getHoldings","params":["0xcf7ed3acca5a467e9e704c703e8d87f634fb0fc9"]}
<< {"jsonrpc":"2.0","id":1,"result":{"items":[],"next":null}}
