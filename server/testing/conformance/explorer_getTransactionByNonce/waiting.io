// in the pool
>> {"jsonrpc":"2.0","id":1,"method":"explorer_getTransactionByNonce","params":["0x9965507d1a55bcc2695c58ba16fb37d819b0a4dc","0x3"]}
<< {"jsonrpc":"2.0","id":1,"result":{"hash":"0x3637d05fa875008092832a26134dffe4075aa0282d47bd364533608671cd99a5","blockNumber":null}}
