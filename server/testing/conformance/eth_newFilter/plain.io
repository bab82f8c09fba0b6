// a random id
// speconly: only the answer's shape counts
>> {"jsonrpc":"2.0","id":1,"method":"eth_newFilter","params":[{"address":"0x534b2f3a21130d7a60830c2df862319e593943a3"}]}
