// more blocks than allowed
>> {"jsonrpc":"2.0","id":1,"method":"eth_feeHistory","params":["0x10000","latest"]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32005,"message":"a fee history of 65536 blocks exceeds the limit of 1024: request fewer blocks","data":{"limit":"feeHistoryBlocks"}}}
