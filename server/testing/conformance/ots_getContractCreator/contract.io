// its creator
>> {"jsonrpc":"2.0","id":1,"method":"ots_getContractCreator","params":["0xcf7ed3acca5a467e9e704c703e8d87f634fb0fc9"]}
<< {"jsonrpc":"2.0","id":1,"result":{"hash":"0x76dd8497698e2c4e215b510addd7b7fd9f854ed5e5eb30f0a76d6cece5291372","creator":"0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266"}}
