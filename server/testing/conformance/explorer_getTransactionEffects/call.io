// a call of a contract
>> {"jsonrpc":"2.0","id":1,"method":"explorer_getTransactionEffects","params":["0xd1bbb0ade01fdbaf49727a37207bdab18a402653091c5def815aa092d1499999"]}
<< {"jsonrpc":"2.0","id":1,"result":{"blockNumber":"0x5","calls":"0x1","internalTransactions":"0x0","changedAccounts":"0x3","authorizations":[]}}
