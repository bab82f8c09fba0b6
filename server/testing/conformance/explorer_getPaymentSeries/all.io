// all settled payments in two spans
>> {"jsonrpc":"2.0","id":1,"method":"explorer_getPaymentSeries","params":[{"spans":2}]}
<< {"jsonrpc":"2.0","id":1,"result":{"asset":"0x534b2f3a21130d7a60830c2df862319e593943a3","spans":[{"from":"0x18bcfe56be8","to":"0x18bcfe56fd0","payments":"0x1","settledAmount":"0x16e360"}],"batches":[{"size":"0x1","transactions":"0x1"}],"cut":false}}
