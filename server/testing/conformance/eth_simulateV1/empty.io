// no blocks
>> {"jsonrpc":"2.0","id":1,"method":"eth_simulateV1","params":[{"blockStateCalls":[]}]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid argument 0: blockStateCalls: expected at least one block","data":{"argument":0,"name":"payload","path":["blockStateCalls"]}}}
