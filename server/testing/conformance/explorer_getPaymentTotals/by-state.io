// one and the next
>> {"jsonrpc":"2.0","id":1,"method":"explorer_getPaymentTotals","params":[{"by":"state","limit":1}]}
<< {"jsonrpc":"2.0","id":1,"result":{"items":[{"subject":"failed insufficient_funds","asset":null,"payments":"0x1","settledAmount":"0x0","refunds":"0x0","refundedAmount":"0x0","gasCost":"0x0"}],"next":"0x0000000000000000000000000000000000000000-0x6661696c656420696e73756666696369656e745f66756e6473"}}
>> {"jsonrpc":"2.0","id":2,"method":"explorer_getPaymentTotals","params":[{"by":"state","limit":1,"after":"0x0000000000000000000000000000000000000000-0x6661696c656420696e73756666696369656e745f66756e6473"}]}
<< {"jsonrpc":"2.0","id":2,"result":{"items":[{"subject":"settled","asset":null,"payments":"0x1","settledAmount":"0x0","refunds":"0x0","refundedAmount":"0x0","gasCost":"0x0"}],"next":null}}
