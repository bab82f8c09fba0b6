// null
>> {"jsonrpc":"2.0","id":1,"method":"eth_getTransactionByBlockHashAndIndex","params":["0xd7d9dca2a34e2c41c819bbba8e9ac5bfd10f66f5dbc80d2ca0f1b2bf77a315c8","0x1"]}
<< {"jsonrpc":"2.0","id":1,"result":null}
