// null
>> {"jsonrpc":"2.0","id":1,"method":"trace_block","params":["0xffff"]}
<< {"jsonrpc":"2.0","id":1,"result":null}
