// a mined one
>> {"jsonrpc":"2.0","id":1,"method":"explorer_getTransactionByNonce","params":["0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266","0x0"]}
<< {"jsonrpc":"2.0","id":1,"result":{"hash":"0xe6ac08ac3dca94a04ac7953bddd9e591432bbb79961fa4e185002e6a77838546","blockNumber":"0x1"}}
