// first transaction
>> {"jsonrpc":"2.0","id":1,"method":"ots_getTransactionBySenderAndNonce","params":["0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266",0]}
<< {"jsonrpc":"2.0","id":1,"result":"0xe6ac08ac3dca94a04ac7953bddd9e591432bbb79961fa4e185002e6a77838546"}
