// what an account received of one token, and what it sent
>> {"jsonrpc":"2.0","id":1,"method":"explorer_getTokenTransfers","params":[{"party":"0x70997970c51812dc3a010c7d01b50e0d17dc79c8","token":"0x534b2f3a21130d7a60830c2df862319e593943a3","direction":"in"}]}
<< {"jsonrpc":"2.0","id":1,"result":{"items":[{"blockNumber":"0x3","timestamp":"0x6955b91f","transactionHash":"0x0ad878976546c20057dd09f0ac4a85a359158ab3ca3a01a523abc14d623ee78d","token":"0x534b2f3a21130d7a60830c2df862319e593943a3","from":"0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266","to":"0x70997970c51812dc3a010c7d01b50e0d17dc79c8","logIndex":"0x0","amount":"0x16e360","calledContract":"0x534b2f3a21130d7a60830c2df862319e593943a3","selector":"0xa9059cbb","method":"transfer"}],"next":null}}
>> {"jsonrpc":"2.0","id":2,"method":"explorer_getTokenTransfers","params":[{"party":"0x70997970c51812dc3a010c7d01b50e0d17dc79c8","direction":"out"}]}
<< {"jsonrpc":"2.0","id":2,"result":{"items":[],"next":null}}
