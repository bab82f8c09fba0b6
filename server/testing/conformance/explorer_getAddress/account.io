// first and last transaction
>> {"jsonrpc":"2.0","id":1,"method":"explorer_getAddress","params":["0x70997970c51812dc3a010c7d01b50e0d17dc79c8"]}
<< {"jsonrpc":"2.0","id":1,"result":{"firstSeen":{"blockNumber":"0x1","timestamp":"0x6955b90b","transactionHash":"0xe6ac08ac3dca94a04ac7953bddd9e591432bbb79961fa4e185002e6a77838546"},"lastSeen":{"blockNumber":"0x3","timestamp":"0x6955b91f","transactionHash":"0x0ad878976546c20057dd09f0ac4a85a359158ab3ca3a01a523abc14d623ee78d"},"creation":null,"counts":{"transactions":"0x3","tokenTransfers":"0x1","internalTransfers":"0x0"}}}
