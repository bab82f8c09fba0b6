// who earned what
>> {"jsonrpc":"2.0","id":1,"method":"explorer_getEarnings","params":[{"by":"payee","limit":10}]}
<< {"jsonrpc":"2.0","id":1,"result":{"items":[{"subject":"0x70997970c51812dc3a010c7d01b50e0d17dc79c8","asset":"0x534b2f3a21130d7a60830c2df862319e593943a3","payments":"0x1","settledAmount":"0x16e360","refunds":"0x0","refundedAmount":"0x0","gasCost":"0x0","payers":"0x1","settled":"0x1","failed":"0x1","lastAt":"0x18bcfe573b8"}],"payers":"0x1","cut":false}}
