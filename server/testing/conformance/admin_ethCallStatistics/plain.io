// seven figures as strings
// speconly: only the answer's shape counts
>> {"jsonrpc":"2.0","id":1,"method":"admin_ethCallStatistics","params":[]}
