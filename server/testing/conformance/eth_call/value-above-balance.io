// refused
>> {"jsonrpc":"2.0","id":1,"method":"eth_call","params":[{"from":"0xc1cadaffffffffffffffffffffffffffffffffff","to":"0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266","value":"0x1"},"latest"]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"insufficient funds for gas * price + value"}}
