// too little gas
>> {"jsonrpc":"2.0","id":1,"method":"eth_call","params":[{"to":"0xcf7ed3acca5a467e9e704c703e8d87f634fb0fc9","input":"0x05","gas":"0x5300"},"latest"]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"out of gas"}}
