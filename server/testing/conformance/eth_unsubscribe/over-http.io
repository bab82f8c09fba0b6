// needs a WebSocket
>> {"jsonrpc":"2.0","id":1,"method":"eth_unsubscribe","params":["0x1"]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"The method eth_unsubscribe requires a WebSocket connection to this endpoint."}}
