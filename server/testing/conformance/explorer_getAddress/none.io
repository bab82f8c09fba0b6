// never touched
>> {"jsonrpc":"2.0","id":1,"method":"explorer_getAddress","params":["0x00000000000000000000000000000000000000ff"]}
<< {"jsonrpc":"2.0","id":1,"result":{"firstSeen":null,"lastSeen":null,"creation":null,"counts":{"transactions":"0x0","tokenTransfers":"0x0","internalTransfers":"0x0"}}}
