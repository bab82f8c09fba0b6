// block 5
>> {"jsonrpc":"2.0","id":1,"method":"explorer_getBlockTransactions","params":["0x5"]}
<< {"jsonrpc":"2.0","id":1,"result":{"items":[{"hash":"0xd1bbb0ade01fdbaf49727a37207bdab18a402653091c5def815aa092d1499999","from":"0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266","to":"0xcf7ed3acca5a467e9e704c703e8d87f634fb0fc9","value":"0x0","selector":"0x00000000","method":null,"type":"0x2","contractAddress":null,"blockNumber":"0x5","transactionIndex":"0x0","timestamp":"0x6955b933","status":"0x1","gasUsed":"0xae7e","effectiveGasPrice":"0x5a2f96bb","tokenTransfer":null}],"next":null}}
