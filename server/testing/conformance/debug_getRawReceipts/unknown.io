// refused
>> {"jsonrpc":"2.0","id":1,"method":"debug_getRawReceipts","params":["0x1000"]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"block 4096 not found"}}
