// figures of this run; speconly
>> {"jsonrpc":"2.0","id":1,"method":"explorer_getNodeStatus","params":[]}
