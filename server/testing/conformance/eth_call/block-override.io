// the number that the call sees
>> {"jsonrpc":"2.0","id":1,"method":"eth_call","params":[{"input":"0x435f5260205ff3"},"latest",{},{"number":"0x539"}]}
<< {"jsonrpc":"2.0","id":1,"result":"0x0000000000000000000000000000000000000000000000000000000000000539"}
