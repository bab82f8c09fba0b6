// not used yet
>> {"jsonrpc":"2.0","id":1,"method":"explorer_getTransactionByNonce","params":["0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266","0x64"]}
<< {"jsonrpc":"2.0","id":1,"result":null}
