// what a resource earned
>> {"jsonrpc":"2.0","id":1,"method":"explorer_getPaymentTotals","params":[{"by":"resource","limit":1}]}
<< {"jsonrpc":"2.0","id":1,"result":{"items":[{"subject":"http://localhost:3000/api/paid/block-digest","asset":"0x534b2f3a21130d7a60830c2df862319e593943a3","payments":"0x1","settledAmount":"0x16e360","refunds":"0x0","refundedAmount":"0x0","gasCost":"0x0"}],"next":null}}
