// by both forms of the EIP-1898 object
>> {"jsonrpc":"2.0","id":1,"method":"eth_getBalance","params":["0x70997970c51812dc3a010c7d01b50e0d17dc79c8",{"blockHash":"0xd9c85a74374dc886fc12ec446bd829ae1224226909835325668a4c4aedc634c5","requireCanonical":true}]}
<< {"jsonrpc":"2.0","id":1,"result":"0x21e27c1806e59a40000"}
>> {"jsonrpc":"2.0","id":2,"method":"eth_getBalance","params":["0x70997970c51812dc3a010c7d01b50e0d17dc79c8",{"blockNumber":"0x1"}]}
<< {"jsonrpc":"2.0","id":2,"result":"0x21e27c1806e59a40000"}
