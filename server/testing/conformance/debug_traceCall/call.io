// a write that never happens
>> {"jsonrpc":"2.0","id":1,"method":"debug_traceCall","params":[{"from":"0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266","to":"0xcf7ed3acca5a467e9e704c703e8d87f634fb0fc9","input":"0x05"},"latest",{"tracer":"callTracer"}]}
<< {"jsonrpc":"2.0","id":1,"result":{"from":"0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266","gas":"0x8f0d180","gasUsed":"0x6b36","to":"0xcf7ed3acca5a467e9e704c703e8d87f634fb0fc9","input":"0x05","output":"0x0500000000000000000000000000000000000000000000000000000000000000","value":"0x0","type":"CALL"}}
