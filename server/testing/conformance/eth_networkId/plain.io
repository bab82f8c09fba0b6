// without params
>> {"jsonrpc":"2.0","id":1,"method":"eth_networkId","params":[]}
<< {"jsonrpc":"2.0","id":1,"result":"10143"}
