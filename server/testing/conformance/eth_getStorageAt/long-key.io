// a key of more than 32 bytes
>> {"jsonrpc":"2.0","id":1,"method":"eth_getStorageAt","params":["0xcf7ed3acca5a467e9e704c703e8d87f634fb0fc9","0x00000000000000000000000000000000000000000000000000000000000000000","latest"]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid argument 1: storage key too long (want at most 32 bytes): \"0x00000000000000000000000000000000000000000000000000000000000000000\"","data":{"argument":1,"name":"position","path":[]}}}
