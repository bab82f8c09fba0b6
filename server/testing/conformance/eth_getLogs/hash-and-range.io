// refused
>> {"jsonrpc":"2.0","id":1,"method":"eth_getLogs","params":[{"blockHash":"0xa060fd8e31e6d03aa50e564fd22997dcf807f07571991eaf7f315cca45748c4a","fromBlock":"0x1"}]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid argument 0: blockHash: cannot specify both blockHash and fromBlock/toBlock, choose one or the other","data":{"argument":0,"name":"filters","path":["blockHash"]}}}
