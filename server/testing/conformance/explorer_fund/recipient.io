// two transactions, and no more within a minute
>> {"jsonrpc":"2.0","id":1,"method":"explorer_fund","params":["0xc1cadaffffffffffffffffffffffffffffffffff"]}
<< {"jsonrpc":"2.0","id":1,"result":{"nativeTransaction":"0x919c0e1cea5b72d839a6ad1403d683f7989903ae4e4021b3dcafc55dccc8a921","tokenTransaction":"0x0f3f033f911555ad5f63d3160bab5841f33ff2215b196fc4c88da999a2693b0e"}}
>> {"jsonrpc":"2.0","id":2,"method":"explorer_fund","params":["0xc1cadaffffffffffffffffffffffffffffffffff"]}
<< {"jsonrpc":"2.0","id":2,"error":{"code":-32005,"message":"the faucet has just funded this recipient: try again in 60 s","data":{"limit":"faucet"}}}
