// half a byte is refused
>> {"jsonrpc":"2.0","id":1,"method":"web3_sha3","params":["0x1"]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid argument 0: hex string of odd length","data":{"argument":0,"name":"data","path":[]}}}
