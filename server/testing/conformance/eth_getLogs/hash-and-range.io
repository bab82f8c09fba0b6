// refused
>> {"jsonrpc":"2.0","id":1,"method":"eth_getLogs","params":[{"blockHash":"0xd7d9dca2a34e2c41c819bbba8e9ac5bfd10f66f5dbc80d2ca0f1b2bf77a315c8","fromBlock":"0x1"}]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid argument 0: blockHash: cannot specify both blockHash and fromBlock/toBlock, choose one or the other","data":{"argument":0,"name":"filters","path":["blockHash"]}}}
