// no code
>> {"jsonrpc":"2.0","id":1,"method":"explorer_getSelectors","params":["0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266"]}
<< {"jsonrpc":"2.0","id":1,"result":{"codeSize":"0x0","selectors":[],"signatures":[]}}
