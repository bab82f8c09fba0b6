// waits and says why not
>> {"jsonrpc":"2.0","id":1,"method":"eth_sendRawTransactionSync","params":["0x02f86d82279f05843b9aca008502540be4008252089470997970c51812dc3a010c7d01b50e0d17dc79c80380c001a0f198fe0caba18ee64732f904874c66e938fe1615dd48b1e97a07f2cb957d6717a039ee08e18d63a6d80bafebffb77faa213a383d795f5652f463998d468503048e",50]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":5,"message":"The transaction is in the pool but cannot be mined yet: the sender's nonce 0 is missing.","data":{"hash":"0xc86f032c38ddbaaeb8f9e980aea83e6d4d706a1ffe6796b3b9393216e37b1be9"}}}
