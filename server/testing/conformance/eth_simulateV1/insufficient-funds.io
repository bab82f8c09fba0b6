// even without validation
>> {"jsonrpc":"2.0","id":1,"method":"eth_simulateV1","params":[{"blockStateCalls":[{"calls":[{"from":"0xc000000000000000000000000000000000000000","to":"0x70997970c51812dc3a010c7d01b50e0d17dc79c8","value":"0x1"}]}]}]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-38014,"message":"insufficient funds for gas * price + value"}}
