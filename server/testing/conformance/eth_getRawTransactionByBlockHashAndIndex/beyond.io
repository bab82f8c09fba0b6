// null
>> {"jsonrpc":"2.0","id":1,"method":"eth_getRawTransactionByBlockHashAndIndex","params":["0xa060fd8e31e6d03aa50e564fd22997dcf807f07571991eaf7f315cca45748c4a","0x1"]}
<< {"jsonrpc":"2.0","id":1,"result":null}
