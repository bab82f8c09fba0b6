// not of this list
>> {"jsonrpc":"2.0","id":1,"method":"explorer_getHolders","params":["0x534b2f3a21130d7a60830c2df862319e593943a3",{"before":"0x1"}]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid argument 1: before: not a cursor for this list; pass the 'next' value from the previous page","data":{"argument":1,"name":"page","path":["before"]}}}
