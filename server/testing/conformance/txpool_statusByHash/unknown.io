// never seen
>> {"jsonrpc":"2.0","id":1,"method":"txpool_statusByHash","params":["0x00000000000000000000000000000000000000000000000000000000deadbeef"]}
<< {"jsonrpc":"2.0","id":1,"result":{"status":"unknown"}}
