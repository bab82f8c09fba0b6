// a name that is not declared
>> {"jsonrpc":"2.0","id":1,"method":"eth_getBalance","params":{"address":"0x70997970c51812dc3a010c7d01b50e0d17dc79c8"}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"unknown param \"address\"; known params: account, block"}}
