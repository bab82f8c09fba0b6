// refused
>> {"jsonrpc":"2.0","id":1,"method":"eth_getLogs","params":[{"blockHash":"0x00000000000000000000000000000000000000000000000000000000deadbeef"}]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"block 0x00000000000000000000000000000000000000000000000000000000deadbeef not found"}}
