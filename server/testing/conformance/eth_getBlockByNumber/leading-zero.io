// refused
>> {"jsonrpc":"2.0","id":1,"method":"eth_getBlockByNumber","params":["0x05",false]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid argument 0: hex number with leading zero digits","data":{"argument":0,"name":"block_number","path":[]}}}
