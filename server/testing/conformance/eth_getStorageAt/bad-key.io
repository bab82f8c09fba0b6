// a key that is not hex
>> {"jsonrpc":"2.0","id":1,"method":"eth_getStorageAt","params":["0xcf7ed3acca5a467e9e704c703e8d87f634fb0fc9","0xasdf","latest"]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid argument 1: invalid hex in storage key: \"0xasdf\"","data":{"argument":1,"name":"position","path":[]}}}
