// a gap is not counted
>> {"jsonrpc":"2.0","id":1,"method":"eth_getTransactionCount","params":["0x9965507d1a55bcc2695c58ba16fb37d819b0a4dc","pending"]}
<< {"jsonrpc":"2.0","id":1,"result":"0x0"}
