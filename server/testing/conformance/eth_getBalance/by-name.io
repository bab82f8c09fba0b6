// params by name
>> {"jsonrpc":"2.0","id":1,"method":"eth_getBalance","params":{"account":"0x70997970c51812dc3a010c7d01b50e0d17dc79c8","block":"latest"}}
<< {"jsonrpc":"2.0","id":1,"result":"0x21e27c1806e59a40001"}
