// a random id
// speconly: only the answer's shape counts
>> {"jsonrpc":"2.0","id":1,"method":"eth_newBlockFilter","params":[]}
