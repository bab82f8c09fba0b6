// a payment that does not exist
>> {"jsonrpc":"2.0","id":1,"method":"explorer_refund","params":["0x00000000000000000000000000000000000000000000000000000000deadbeef"]}
<< {"jsonrpc":"2.0","id":1,"result":null}
