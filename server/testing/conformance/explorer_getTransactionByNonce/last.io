// the sender's last, in block 7
>> {"jsonrpc":"2.0","id":1,"method":"explorer_getTransactionByNonce","params":["0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266","0x6"]}
<< {"jsonrpc":"2.0","id":1,"result":{"hash":"0x00fce0c43376842fe58215860498b7ad10856c629a888d00127a5f103c83d51d","blockNumber":"0x7"}}
