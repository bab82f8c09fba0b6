// in the pool: nothing is known of its calls
>> {"jsonrpc":"2.0","id":1,"method":"explorer_getTransactionEffects","params":["0x3637d05fa875008092832a26134dffe4075aa0282d47bd364533608671cd99a5"]}
<< {"jsonrpc":"2.0","id":1,"result":{"blockNumber":null,"calls":null,"internalTransactions":null,"changedAccounts":null,"authorizations":[]}}
