// by both forms of the EIP-1898 object
>> {"jsonrpc":"2.0","id":1,"method":"eth_getBalance","params":["0x70997970c51812dc3a010c7d01b50e0d17dc79c8",{"blockHash":"0x90b2d19250b9a7678a3c7df0d67f4440808ab8d3589c8b0acb0df9e94a392352","requireCanonical":true}]}
<< {"jsonrpc":"2.0","id":1,"result":"0x21e27c1806e59a40000"}
>> {"jsonrpc":"2.0","id":2,"method":"eth_getBalance","params":["0x70997970c51812dc3a010c7d01b50e0d17dc79c8",{"blockNumber":"0x1"}]}
<< {"jsonrpc":"2.0","id":2,"result":"0x21e27c1806e59a40000"}
