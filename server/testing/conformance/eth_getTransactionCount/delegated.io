// an authorization counts as a nonce
>> {"jsonrpc":"2.0","id":1,"method":"eth_getTransactionCount","params":["0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc","latest"]}
<< {"jsonrpc":"2.0","id":1,"result":"0x1"}
