/**
 * eth_ methods that send a signed transaction.
 */
import { z } from "zod";
import { data, hexHash, safeInteger } from "@/lib/rpc/codec";
import { defineMethods } from "@/lib/rpc/schema/define";
import { noReceipt, refusedByPool } from "@/lib/rpc/schema/errors";
import { poolLimits } from "@/lib/rpc/schema/limits";
import { ofTransfer } from "@/lib/rpc/schema/live";
import { receiptShape } from "@/lib/rpc/shapes";

export const ethSubmitMethods = defineMethods("sends", {
  eth_sendRawTransaction: {
    summary: "Submits a signed transaction to the pool and returns its hash.",
    paramNames: ["hex_tx"],
    params: z.tuple([data]),
    result: hexHash,
    errors: [refusedByPool],
    limits: poolLimits,
    isForwarded: true,
    examples: [
      {
        summary: "A transfer between developer accounts on chain 10143",
        params: [
          "0x02f87482279f80847735940085746a52880082520894f39fd6e51aad88f6f4ce6ab8827279cfffb9226687038d7ea4c6800080c001a04c18fd9d792f2d1c74a527eb940bb476113ae857ad1422a51ffe1b5b6e144464a02176cb58d26a477d344ecf7650e88a6b652f3e75885a0dab2b9cece92022df7f",
        ],
      },
    ],
    toLiveExamples: ofTransfer(),
  },

  eth_sendRawTransactionSync: {
    summary: "Submits a signed transaction, waits until it is mined and returns its receipt (EIP-7966).",
    paramNames: ["hex_tx", "timeout_ms"],
    params: z.tuple([data, safeInteger.nullish()]),
    result: receiptShape,
    errors: [refusedByPool, ...noReceipt],
    limits: poolLimits,
    isForwarded: true,
    examples: [
      {
        summary: "A transfer between developer accounts on chain 10143, waiting up to 5 s",
        params: [
          "0x02f87482279f80847735940085746a52880082520894f39fd6e51aad88f6f4ce6ab8827279cfffb9226687038d7ea4c6800080c080a080e180052922b51f7025dfca2f088d8a4048afdd0520da2a2c059310e16df2f4a02dfc579576170849401dae08113ea8b5d4bd8c50070334461bcef5026ae73a7b",
          5000,
        ],
      },
    ],
    toLiveExamples: ofTransfer(5000),
  },
});
