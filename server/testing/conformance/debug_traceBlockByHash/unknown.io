// refused
>> {"jsonrpc":"2.0","id":1,"method":"debug_traceBlockByHash","params":["0x00000000000000000000000000000000000000000000000000000000deadbeef",{"tracer":"callTracer"}]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"block 0x00000000000000000000000000000000000000000000000000000000deadbeef not found"}}
