// a mined one
>> {"jsonrpc":"2.0","id":1,"method":"explorer_search","params":["0x0AD878976546C20057DD09F0AC4A85A359158AB3CA3A01A523ABC14D623EE78D"]}
<< {"jsonrpc":"2.0","id":1,"result":{"items":[{"kind":"transaction","id":"0x0ad878976546c20057dd09f0ac4a85a359158ab3ca3a01a523abc14d623ee78d","label":"Transaction with a payment in block 3"}],"lookedUp":["transaction hash","block hash","payment ID"],"suggestions":[]}}
