// what the call touches
>> {"jsonrpc":"2.0","id":1,"method":"eth_createAccessList","params":[{"from":"0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266","to":"0xcf7ed3acca5a467e9e704c703e8d87f634fb0fc9","input":"0x05"},"latest"]}
<< {"jsonrpc":"2.0","id":1,"result":{"accessList":[{"address":"0xcf7ed3acca5a467e9e704c703e8d87f634fb0fc9","storageKeys":["0x0000000000000000000000000000000000000000000000000000000000000000"]}],"gasUsed":"0x73ce"}}
