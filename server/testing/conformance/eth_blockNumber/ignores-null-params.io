// params null counts as none
>> {"jsonrpc":"2.0","id":1,"method":"eth_blockNumber","params":null}
<< {"jsonrpc":"2.0","id":1,"result":"0x7"}
