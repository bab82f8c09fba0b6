// a contract
>> {"jsonrpc":"2.0","id":1,"method":"eth_getAccount","params":["0xcf7ed3acca5a467e9e704c703e8d87f634fb0fc9","latest"]}
<< {"jsonrpc":"2.0","id":1,"result":{"nonce":"0x1","balance":"0x0","storageRoot":"0xf258b1c6d5ee7f6f3549117fb0ac79118d5ad19b9c027f9b8e1471ca519b3b6c","codeHash":"0x8235e7e5edea5eadbf2c741f5260e2451071440424e109bbf6aff7eaeadeb924"}}
