// refused
>> {"jsonrpc":"2.0","id":1,"method":"ots_getInternalOperations","params":["0x00000000000000000000000000000000000000000000000000000000deadbeef"]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"transaction not found"}}
