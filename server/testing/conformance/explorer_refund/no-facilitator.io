// a chain without a facilitator
>> {"jsonrpc":"2.0","id":1,"method":"explorer_refund","params":["0x00000000000000000000000000000000000000000000000000000000deadbeef"]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"The method explorer_refund does not exist or is not available."}}
