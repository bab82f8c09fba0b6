// code for one trace
>> {"jsonrpc":"2.0","id":1,"method":"debug_traceCall","params":[{"to":"0x90f79bf6eb2c4f870365e785982e1f101e93b906"},"latest",{"tracer":"callTracer","stateOverrides":{"0x90f79bf6eb2c4f870365e785982e1f101e93b906":{"code":"0x602a5f5260205ff3"}}}]}
<< {"jsonrpc":"2.0","id":1,"result":{"from":"0x0000000000000000000000000000000000000000","gas":"0x8f0d180","gasUsed":"0x5218","to":"0x90f79bf6eb2c4f870365e785982e1f101e93b906","input":"0x","output":"0x000000000000000000000000000000000000000000000000000000000000002a","value":"0x0","type":"CALL"}}
