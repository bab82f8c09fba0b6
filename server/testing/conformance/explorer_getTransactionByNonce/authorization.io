// the nonce of an EIP-7702 authorization is of no transaction
>> {"jsonrpc":"2.0","id":1,"method":"explorer_getTransactionByNonce","params":["0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc","0x0"]}
<< {"jsonrpc":"2.0","id":1,"result":null}
