// refused
>> {"jsonrpc":"2.0","id":1,"method":"eth_newFilter","params":[{"topics":["0x12"]}]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid argument 0: topics[0]: hex string has length 2, want 64 for a hash","data":{"argument":0,"name":"filters","path":["topics","0"]}}}
