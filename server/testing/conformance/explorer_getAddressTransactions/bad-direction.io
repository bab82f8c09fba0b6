// no such direction
>> {"jsonrpc":"2.0","id":1,"method":"explorer_getAddressTransactions","params":["0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266",{"direction":"sideways"}]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid argument 1: direction: Invalid option: expected one of \"self\"|\"out\"|\"in\"|\"created\"|\"internal\"|\"token\"","data":{"argument":1,"name":"page","path":["direction"]}}}
