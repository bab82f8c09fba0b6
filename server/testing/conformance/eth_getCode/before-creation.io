// before it was created
>> {"jsonrpc":"2.0","id":1,"method":"eth_getCode","params":["0xcf7ed3acca5a467e9e704c703e8d87f634fb0fc9","0x3"]}
<< {"jsonrpc":"2.0","id":1,"result":"0x"}
