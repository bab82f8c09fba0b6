// what waits
>> {"jsonrpc":"2.0","id":1,"method":"txpool_inspect","params":[]}
<< {"jsonrpc":"2.0","id":1,"result":{"pending":{},"queued":{"0x9965507d1a55bcc2695c58ba16fb37d819b0a4dc":{"3":"0x70997970c51812dc3a010c7d01b50e0d17dc79c8: 5 wei + 300000 gas × 10000000000 wei"}}}}
