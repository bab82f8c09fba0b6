// more spans than are drawn
>> {"jsonrpc":"2.0","id":1,"method":"explorer_getPaymentSeries","params":[{"spans":201}]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid argument 0: spans: must be at most 200","data":{"argument":0,"name":"filter","path":["spans"]}}}
