// an unknown grouping
>> {"jsonrpc":"2.0","id":1,"method":"explorer_getEarnings","params":[{"by":"state","limit":10}]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid argument 0: by: Invalid option: expected one of \"resource\"|\"payee\"","data":{"argument":0,"name":"query","path":["by"]}}}
