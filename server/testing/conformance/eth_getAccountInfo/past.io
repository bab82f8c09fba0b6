// at an earlier block
>> {"jsonrpc":"2.0","id":1,"method":"eth_getAccountInfo","params":["0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266","0x1"]}
<< {"jsonrpc":"2.0","id":1,"result":{"nonce":"0x1","balance":"0x21e0bffef3755f8aa00","code":"0x"}}
