// a block beyond the head is an error
>> {"jsonrpc":"2.0","id":1,"method":"eth_getBalance","params":["0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266","0x1000"]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"block 4096 not found"}}
