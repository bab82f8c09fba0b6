// the network's token
>> {"jsonrpc":"2.0","id":1,"method":"explorer_getToken","params":["0x534b2f3a21130d7a60830c2df862319e593943a3"]}
<< {"jsonrpc":"2.0","id":1,"result":{"holders":"0xa","transfers":"0x1"}}
