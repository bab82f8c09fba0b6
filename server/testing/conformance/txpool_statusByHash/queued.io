// waits
>> {"jsonrpc":"2.0","id":1,"method":"txpool_statusByHash","params":["0x3637d05fa875008092832a26134dffe4075aa0282d47bd364533608671cd99a5"]}
<< {"jsonrpc":"2.0","id":1,"result":{"status":"queued","reason":"waiting for a transaction with nonce 0"}}
