// the level
>> {"jsonrpc":"2.0","id":1,"method":"ots_getApiLevel","params":[]}
<< {"jsonrpc":"2.0","id":1,"result":8}
