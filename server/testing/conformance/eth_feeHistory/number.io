// a JSON number of blocks, none asked for tips
>> {"jsonrpc":"2.0","id":1,"method":"eth_feeHistory","params":[2,"0x5"]}
<< {"jsonrpc":"2.0","id":1,"result":{"oldestBlock":"0x4","baseFeePerGas":["0x22f1cc53","0x1e94ccbb","0x1ac2c85a"],"gasUsedRatio":[0.0005483466666666667,0.0002978],"baseFeePerBlobGas":["0x1","0x1","0x1"],"blobGasUsedRatio":[0,0]}}
