// an EIP-7702 designator
>> {"jsonrpc":"2.0","id":1,"method":"eth_getCode","params":["0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc","latest"]}
<< {"jsonrpc":"2.0","id":1,"result":"0xef0100cf7ed3acca5a467e9e704c703e8d87f634fb0fc9"}
