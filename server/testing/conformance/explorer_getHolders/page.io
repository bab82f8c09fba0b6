// the largest first
>> {"jsonrpc":"2.0","id":1,"method":"explorer_getHolders","params":["0x534b2f3a21130d7a60830c2df862319e593943a3",{"limit":2}]}
<< {"jsonrpc":"2.0","id":1,"result":{"items":[{"address":"0x70997970c51812dc3a010c7d01b50e0d17dc79c8","amount":"0x25422c760","balance":"0x25422c760"},{"address":"0xa0ee7a142d267c1f36714e4a8f75612f20a79720","amount":"0x2540be400","balance":"0x2540be400"}],"next":"0x2540be400-0xa0ee7a142d267c1f36714e4a8f75612f20a79720"}}
