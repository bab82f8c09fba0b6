// not there
>> {"jsonrpc":"2.0","id":1,"method":"eth_uninstallFilter","params":["0x1"]}
<< {"jsonrpc":"2.0","id":1,"result":false}
