// no blocks
>> {"jsonrpc":"2.0","id":1,"method":"eth_feeHistory","params":["0x0","latest"]}
<< {"jsonrpc":"2.0","id":1,"result":{"oldestBlock":"0x0","baseFeePerGas":[],"gasUsedRatio":[],"baseFeePerBlobGas":[],"blobGasUsedRatio":[]}}
