// an account that does not exist
>> {"jsonrpc":"2.0","id":1,"method":"eth_getAccountInfo","params":["0x00000000000000000000000000000000000000fe","latest"]}
<< {"jsonrpc":"2.0","id":1,"result":{"nonce":"0x0","balance":"0x0","code":"0x"}}
