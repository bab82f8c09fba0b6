// by JSON number
>> {"jsonrpc":"2.0","id":1,"method":"ots_hasCode","params":["0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266",1]}
<< {"jsonrpc":"2.0","id":1,"result":false}
