// what it sent, one direction alone
>> {"jsonrpc":"2.0","id":1,"method":"explorer_getAddressTransactions","params":["0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266",{"direction":"self"}]}
<< {"jsonrpc":"2.0","id":1,"result":{"items":[],"next":null}}
