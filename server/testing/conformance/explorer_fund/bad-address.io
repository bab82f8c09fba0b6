// refused
>> {"jsonrpc":"2.0","id":1,"method":"explorer_fund","params":["0x12"]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid argument 0: hex string has length 2, want 40 for an address","data":{"argument":0,"name":"address","path":[]}}}
