// a param that is not taken is refused
>> {"jsonrpc":"2.0","id":1,"method":"eth_blockNumber","params":["latest"]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"too many arguments, want at most 0"}}
