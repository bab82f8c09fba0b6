// a nonce is a quantity
>> {"jsonrpc":"2.0","id":1,"method":"explorer_getTransactionByNonce","params":["0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266",-1]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid argument 1: expected string, received number","data":{"argument":1,"name":"nonce","path":[]}}}
