// refused
>> {"jsonrpc":"2.0","id":1,"method":"eth_call","params":[{"to":"0xcf7ed3acca5a467e9e704c703e8d87f634fb0fc9"},"0x1000"]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"block 4096 not found"}}
