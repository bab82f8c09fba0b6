// holds no accounts
>> {"jsonrpc":"2.0","id":1,"method":"eth_requestAccounts","params":[]}
<< {"jsonrpc":"2.0","id":1,"result":[]}
