// two blocks
>> {"jsonrpc":"2.0","id":1,"method":"explorer_getSeries","params":[2]}
<< {"jsonrpc":"2.0","id":1,"result":{"blocks":[{"number":"0x6","timestamp":"0x6955b93d","baseFeePerGas":"0x1ac2c85a","gasUsed":"0x524b","gasLimit":"0x8f0d180","transactions":"0x1","payments":"0x0"},{"number":"0x7","timestamp":"0x6955b947","baseFeePerGas":"0x176aace3","gasUsed":"0xdf52","gasLimit":"0x8f0d180","transactions":"0x1","payments":"0x0"}],"paymentsCut":false}}
