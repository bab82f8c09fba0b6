// waits for earlier nonces
>> {"jsonrpc":"2.0","id":1,"method":"txpool_statusByAddress","params":["0x9965507d1a55bcc2695c58ba16fb37d819b0a4dc"]}
<< {"jsonrpc":"2.0","id":1,"result":{"0x3":{"status":"queued","reason":"waiting for a transaction with nonce 0","hash":"0x3637d05fa875008092832a26134dffe4075aa0282d47bd364533608671cd99a5"}}}
