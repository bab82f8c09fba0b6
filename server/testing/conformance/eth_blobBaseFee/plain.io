// the least there is
>> {"jsonrpc":"2.0","id":1,"method":"eth_blobBaseFee","params":[]}
<< {"jsonrpc":"2.0","id":1,"result":"0x1"}
