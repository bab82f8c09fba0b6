// not of this list
>> {"jsonrpc":"2.0","id":1,"method":"explorer_getBlocks","params":[{"before":"x"}]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid argument 0: before: not a cursor for this list; pass the 'next' value from the previous page","data":{"argument":0,"name":"page","path":["before"]}}}
