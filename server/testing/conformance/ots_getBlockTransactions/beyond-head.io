// null
>> {"jsonrpc":"2.0","id":1,"method":"ots_getBlockTransactions","params":[4096,0,25]}
<< {"jsonrpc":"2.0","id":1,"result":null}
