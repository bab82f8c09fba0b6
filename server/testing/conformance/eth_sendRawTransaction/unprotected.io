// without chain id
>> {"jsonrpc":"2.0","id":1,"method":"eth_sendRawTransaction","params":["0xf8648085012a05f2008252089470997970c51812dc3a010c7d01b50e0d17dc79c880801ca060e8ebdc757d3e79ace56738fbcbcf94b25cb6571454a92879c68c34c5f56716a03df1753b74e3ac576c7e32e6251a581246324ad4edf9cefaec0ccaed7bce5ab8"]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"only replay-protected (EIP-155) transactions allowed over RPC"}}
