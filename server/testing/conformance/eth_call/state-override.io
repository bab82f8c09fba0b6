// code for one call
>> {"jsonrpc":"2.0","id":1,"method":"eth_call","params":[{"to":"0x90f79bf6eb2c4f870365e785982e1f101e93b906"},"latest",{"0x90f79bf6eb2c4f870365e785982e1f101e93b906":{"code":"0x602a5f5260205ff3"}}]}
<< {"jsonrpc":"2.0","id":1,"result":"0x000000000000000000000000000000000000000000000000000000000000002a"}
