// speconly: a nearly full disk is a problem
>> {"jsonrpc":"2.0","id":1,"method":"explorer_getHealth","params":[]}
