// null
>> {"jsonrpc":"2.0","id":1,"method":"ots_getBlockDetails","params":[4096]}
<< {"jsonrpc":"2.0","id":1,"result":null}
