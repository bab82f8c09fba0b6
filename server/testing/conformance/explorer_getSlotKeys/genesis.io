// the same slots before the transfer
>> {"jsonrpc":"2.0","id":1,"method":"explorer_getSlotKeys","params":["0x534b2f3a21130d7a60830c2df862319e593943a3",["0x499528c51356648db37e43952de9993f4899b24e72b85c8d22f7efa043247ceb","0xdc7650c48de5cf00f484bb70bd6c7e289f258724008a4ca733979e35bcd7fb94"],"earliest"]}
<< {"jsonrpc":"2.0","id":1,"result":[]}
