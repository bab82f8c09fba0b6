// token, contract, account, unused
>> {"jsonrpc":"2.0","id":1,"method":"explorer_search","params":["0x534b2f3a21130d7a60830c2df862319e593943a3"]}
<< {"jsonrpc":"2.0","id":1,"result":{"items":[{"kind":"address","id":"0x534b2f3a21130d7a60830c2df862319e593943a3","label":"USDC token"}],"lookedUp":["address"],"suggestions":[]}}
>> {"jsonrpc":"2.0","id":2,"method":"explorer_search","params":["0xcf7ed3acca5a467e9e704c703e8d87f634fb0fc9"]}
<< {"jsonrpc":"2.0","id":2,"result":{"items":[{"kind":"address","id":"0xcf7ed3acca5a467e9e704c703e8d87f634fb0fc9","label":"Contract"}],"lookedUp":["address"],"suggestions":[]}}
>> {"jsonrpc":"2.0","id":3,"method":"explorer_search","params":["0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266"]}
<< {"jsonrpc":"2.0","id":3,"result":{"items":[{"kind":"address","id":"0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266","label":"Account"}],"lookedUp":["address"],"suggestions":[]}}
>> {"jsonrpc":"2.0","id":4,"method":"explorer_search","params":["0xc1cadaffffffffffffffffffffffffffffffffff"]}
<< {"jsonrpc":"2.0","id":4,"result":{"items":[{"kind":"address","id":"0xc1cadaffffffffffffffffffffffffffffffffff","label":"Unused address"}],"lookedUp":["address"],"suggestions":[]}}
