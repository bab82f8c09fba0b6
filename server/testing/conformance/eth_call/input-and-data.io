// both and different
>> {"jsonrpc":"2.0","id":1,"method":"eth_call","params":[{"to":"0xcf7ed3acca5a467e9e704c703e8d87f634fb0fc9","input":"0x05","data":"0x06"},"latest"]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid argument 0: data: differs from input: set only one of them","data":{"argument":0,"name":"transaction","path":["data"]}}}
