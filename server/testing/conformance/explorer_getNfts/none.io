// of an account without NFTs
>> {"jsonrpc":"2.0","id":1,"method":"explorer_getNfts","params":["0x70997970c51812dc3a010c7d01b50e0d17dc79c8"]}
<< {"jsonrpc":"2.0","id":1,"result":{"items":[],"next":null}}
