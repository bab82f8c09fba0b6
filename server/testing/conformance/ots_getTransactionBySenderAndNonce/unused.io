// an unused nonce
>> {"jsonrpc":"2.0","id":1,"method":"ots_getTransactionBySenderAndNonce","params":["0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266",4096]}
<< {"jsonrpc":"2.0","id":1,"result":null}
