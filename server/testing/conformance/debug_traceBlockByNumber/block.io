// one transaction
>> {"jsonrpc":"2.0","id":1,"method":"debug_traceBlockByNumber","params":["0x5",{"tracer":"callTracer"}]}
<< {"jsonrpc":"2.0","id":1,"result":[{"txHash":"0xd1bbb0ade01fdbaf49727a37207bdab18a402653091c5def815aa092d1499999","result":{"from":"0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266","gas":"0x493e0","gasUsed":"0xae7e","to":"0xcf7ed3acca5a467e9e704c703e8d87f634fb0fc9","input":"0x0000000000000000000000000000000000000000000000000000000000000007","output":"0x0000000000000000000000000000000000000000000000000000000000000007","value":"0x0","type":"CALL"}}]}
