// name and versions of this node
// speconly: only the answer's shape counts
>> {"jsonrpc":"2.0","id":1,"method":"web3_clientVersion","params":[]}
