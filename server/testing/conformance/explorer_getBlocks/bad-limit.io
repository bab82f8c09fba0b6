// at most 100
>> {"jsonrpc":"2.0","id":1,"method":"explorer_getBlocks","params":[{"limit":101}]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid argument 0: limit: must be between 1 and 100","data":{"argument":0,"name":"page","path":["limit"]}}}
