// not changed by hand
>> {"jsonrpc":"2.0","id":1,"method":"explorer_getDeveloperState","params":[]}
<< {"jsonrpc":"2.0","id":1,"result":null}
