// without a sender, from is null
>> {"jsonrpc":"2.0","id":1,"method":"eth_fillTransaction","params":[{"to":"0x70997970c51812dc3a010c7d01b50e0d17dc79c8"}]}
<< {"jsonrpc":"2.0","id":1,"result":{"raw":"0x02e882279f80830f424084290b15428252089470997970c51812dc3a010c7d01b50e0d17dc79c88080c0","tx":{"type":"0x2","from":null,"to":"0x70997970c51812dc3a010c7d01b50e0d17dc79c8","gas":"0x5208","gasPrice":null,"maxFeePerGas":"0x290b1542","maxPriorityFeePerGas":"0xf4240","value":"0x0","input":null,"data":null,"nonce":"0x0","chainId":"0x279f","accessList":null,"authorizationList":null}}}
