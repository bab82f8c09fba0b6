// not a transaction
>> {"jsonrpc":"2.0","id":1,"method":"eth_sendRawTransaction","params":["0x1234"]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid argument 0: Transaction type 18 is not supported.","data":{"argument":0}}}
