// an unknown block
>> {"jsonrpc":"2.0","id":1,"method":"eth_getAccountInfo","params":["0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266","0xffff"]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"block 65535 not found"}}
