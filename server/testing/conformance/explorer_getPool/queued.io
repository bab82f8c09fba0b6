// a transaction that waits for a nonce
>> {"jsonrpc":"2.0","id":1,"method":"explorer_getPool","params":[]}
<< {"jsonrpc":"2.0","id":1,"result":{"senders":[{"address":"0x9965507d1a55bcc2695c58ba16fb37d819b0a4dc","nextNonce":"0x0","transactions":[{"hash":"0x3637d05fa875008092832a26134dffe4075aa0282d47bd364533608671cd99a5","from":"0x9965507d1a55bcc2695c58ba16fb37d819b0a4dc","nonce":"0x3","status":"queued","reason":null,"seenAt":"0x19b76dbbd58","changedAt":"0x19b76dbbd58"}]}],"left":[],"pending":"0x0","queued":"0x1"}}
