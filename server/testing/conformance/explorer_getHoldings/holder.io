// of a developer account
>> {"jsonrpc":"2.0","id":1,"method":"explorer_getHoldings","params":["0x70997970c51812dc3a010c7d01b50e0d17dc79c8"]}
<< {"jsonrpc":"2.0","id":1,"result":{"items":[{"token":"0x534b2f3a21130d7a60830c2df862319e593943a3","amount":"0x25422c760","balance":"0x25422c760"}],"next":null}}
