// nothing
>> {"jsonrpc":"2.0","id":1,"method":"explorer_getAddressTransactions","params":["0x15d34aaf54267db7d7c367839aaf71a00a2c6a65"]}
<< {"jsonrpc":"2.0","id":1,"result":{"items":[],"next":null}}
