// the slot of a variable, which no hash leads to
>> {"jsonrpc":"2.0","id":1,"method":"explorer_getSlotKeys","params":["0x534b2f3a21130d7a60830c2df862319e593943a3",["0x0"],"latest"]}
<< {"jsonrpc":"2.0","id":1,"result":[]}
