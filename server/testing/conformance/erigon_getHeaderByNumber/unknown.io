// null
>> {"jsonrpc":"2.0","id":1,"method":"erigon_getHeaderByNumber","params":["0xffff"]}
<< {"jsonrpc":"2.0","id":1,"result":null}
