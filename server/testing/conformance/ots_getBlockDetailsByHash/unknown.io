// null
>> {"jsonrpc":"2.0","id":1,"method":"ots_getBlockDetailsByHash","params":["0x00000000000000000000000000000000000000000000000000000000deadbeef"]}
<< {"jsonrpc":"2.0","id":1,"result":null}
