// an EIP-7702 authorization that took effect
>> {"jsonrpc":"2.0","id":1,"method":"explorer_getTransactionEffects","params":["0x00fce0c43376842fe58215860498b7ad10856c629a888d00127a5f103c83d51d"]}
<< {"jsonrpc":"2.0","id":1,"result":{"blockNumber":"0x7","calls":"0x1","internalTransactions":"0x0","changedAccounts":"0x3","authorizations":[{"authority":"0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc","chainId":"0x279f","address":"0xcf7ed3acca5a467e9e704c703e8d87f634fb0fc9","nonce":"0x0","delegatedTo":"0xcf7ed3acca5a467e9e704c703e8d87f634fb0fc9"}]}}
