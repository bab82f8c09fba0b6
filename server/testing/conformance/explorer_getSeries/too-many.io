// beyond the limit
>> {"jsonrpc":"2.0","id":1,"method":"explorer_getSeries","params":[1001]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid argument 0: blocks must be between 1 and 1000","data":{"argument":0,"name":"blocks","path":[]}}}
