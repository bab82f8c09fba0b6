// refused
>> {"jsonrpc":"2.0","id":1,"method":"ots_getBlockTransactions","params":[5,0,101]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid argument 2: a page size from 1 to 100","data":{"argument":2,"name":"page_size","path":[]}}}
