// none
>> {"jsonrpc":"2.0","id":1,"method":"eth_getCode","params":["0x70997970c51812dc3a010c7d01b50e0d17dc79c8","latest"]}
<< {"jsonrpc":"2.0","id":1,"result":"0x"}
