// two transactions, and no more within a minute
// speconly: the second transaction's fees depend on whether a block already includes the first
>> {"jsonrpc":"2.0","id":1,"method":"explorer_fund","params":["0xc1cadaffffffffffffffffffffffffffffffffff"]}
>> {"jsonrpc":"2.0","id":2,"method":"explorer_fund","params":["0xc1cadaffffffffffffffffffffffffffffffffff"]}
