// in block 1
>> {"jsonrpc":"2.0","id":1,"method":"txpool_statusByHash","params":["0xe6ac08ac3dca94a04ac7953bddd9e591432bbb79961fa4e185002e6a77838546"]}
<< {"jsonrpc":"2.0","id":1,"result":{"status":"mined"}}
