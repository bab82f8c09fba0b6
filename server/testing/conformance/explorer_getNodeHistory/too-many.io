// more readings than are kept
>> {"jsonrpc":"2.0","id":1,"method":"explorer_getNodeHistory","params":[361]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid argument 0: samples must be between 1 and 360","data":{"argument":0,"name":"samples","path":[]}}}
