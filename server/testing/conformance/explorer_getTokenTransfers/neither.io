// neither token nor party
>> {"jsonrpc":"2.0","id":1,"method":"explorer_getTokenTransfers","params":[{}]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid argument 0: token: expected string, received undefined","data":{"argument":0,"name":"filter","path":["token"]}}}
