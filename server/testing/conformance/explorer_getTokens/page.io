// the first token, by its number of holders
>> {"jsonrpc":"2.0","id":1,"method":"explorer_getTokens","params":[{"limit":1}]}
<< {"jsonrpc":"2.0","id":1,"result":{"items":[{"token":"0x534b2f3a21130d7a60830c2df862319e593943a3","holders":"0xa","transfers":"0x1"}],"next":null}}
