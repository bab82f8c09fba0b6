// refused
>> {"jsonrpc":"2.0","id":1,"method":"ots_searchTransactionsBefore","params":["0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266",0,101]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid argument 2: a page size from 1 to 100","data":{"argument":2,"name":"page_size","path":[]}}}
