// null
>> {"jsonrpc":"2.0","id":1,"method":"ots_getContractCreator","params":["0x534b2f3a21130d7a60830c2df862319e593943a3"]}
<< {"jsonrpc":"2.0","id":1,"result":null}
