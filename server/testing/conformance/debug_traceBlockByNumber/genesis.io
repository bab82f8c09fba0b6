// no transactions
>> {"jsonrpc":"2.0","id":1,"method":"debug_traceBlockByNumber","params":["0x0",{"tracer":"callTracer"}]}
<< {"jsonrpc":"2.0","id":1,"result":[]}
