// a written slot
>> {"jsonrpc":"2.0","id":1,"method":"explorer_getStorage","params":["0xcf7ed3acca5a467e9e704c703e8d87f634fb0fc9","latest"]}
<< {"jsonrpc":"2.0","id":1,"result":{"items":[{"slot":"0x0000000000000000000000000000000000000000000000000000000000000000","value":"0x0000000000000000000000000000000000000000000000000000000000000007"}],"next":null}}
