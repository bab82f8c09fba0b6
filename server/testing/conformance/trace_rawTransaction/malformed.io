// refused
>> {"jsonrpc":"2.0","id":1,"method":"trace_rawTransaction","params":["0x00",["trace"]]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid argument 0: Transaction type 0 is not supported.","data":{"argument":0}}}
