// signed for another chain
>> {"jsonrpc":"2.0","id":1,"method":"eth_sendRawTransaction","params":["0x02f86b0180843b9aca008502540be4008252089470997970c51812dc3a010c7d01b50e0d17dc79c80380c001a0e4bc4b7c5a7f3e4ce95d2e0bf51b3073874f214915ad413d4c471d7a8ec75051a00b14ee9777a507c46de53394ec5140acdba111513114279a5ce6b579dacd6d7f"]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"invalid chain id for signer: have 1, want 10143"}}
