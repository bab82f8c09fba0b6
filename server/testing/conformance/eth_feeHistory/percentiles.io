// with tips
>> {"jsonrpc":"2.0","id":1,"method":"eth_feeHistory","params":["0x3","latest",[25,75]]}
<< {"jsonrpc":"2.0","id":1,"result":{"oldestBlock":"0x5","baseFeePerGas":["0x1e94ccbb","0x1ac2c85a","0x176aace3","0x147de981"],"gasUsedRatio":[0.0002978,0.00014044666666666666,0.00038113333333333335],"baseFeePerBlobGas":["0x1","0x1","0x1","0x1"],"blobGasUsedRatio":[0,0,0],"reward":[["0x3b9aca00","0x3b9aca00"],["0x3b9aca00","0x3b9aca00"],["0x3b9aca00","0x3b9aca00"]]}}
