/**
 * eth_ methods that run or price a transaction without sending it, and those that send one.
 * A call object is the same everywhere; its block defaults to latest.
 */
import { z } from "zod";
import { blockOrLatest, data, hexData, hexHash, hexQuantity, safeInteger } from "@/lib/rpc/codec";
import { blockOverrides, callObject, stateOverrides } from "@/lib/rpc/inputs";
import { defineMethod } from "@/lib/rpc/schema/define";
import { accessListResultShape, feeHistoryShape, filledTransactionShape, receiptShape } from "@/lib/rpc/shapes";

const developer = "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266";
const recipient = "0x70997970c51812dc3a010c7d01b50e0d17dc79c8";
const token = "0x534b2f3a21130d7a60830c2df862319e593943a3";
const transfer = { from: developer, to: recipient, value: "0xde0b6b3a7640000" };
/** balanceOf(developer) */
const balanceOf = {
  to: token,
  input: "0x70a08231000000000000000000000000f39fd6e51aad88f6f4ce6ab8827279cfffb92266",
};

export const eth_call = defineMethod({
  name: "eth_call",
  summary: "Runs a call on the state at a block and answers its return data.",
  paramNames: ["transaction", "block", "state_overrides", "block_overrides"],
  params: z.tuple([callObject, blockOrLatest, stateOverrides.nullish(), blockOverrides.nullish()]),
  result: hexData,
  examples: [
    { summary: "Token balance of a developer account", params: [balanceOf, "latest"] },
    {
      summary: "Code placed for one call: answer 42",
      params: [{ to: recipient }, "latest", { [recipient]: { code: "0x602a5f5260205ff3" } }],
    },
  ],
});

export const eth_estimateGas = defineMethod({
  name: "eth_estimateGas",
  summary: "Smallest gas limit with which the call succeeds.",
  paramNames: ["tx", "block", "state_override_set"],
  params: z.tuple([callObject, blockOrLatest, stateOverrides.nullish()]),
  result: hexQuantity,
  examples: [{ summary: "A plain transfer", params: [transfer] }],
});

export const eth_createAccessList = defineMethod({
  name: "eth_createAccessList",
  summary: "Addresses and slots that the call touches (EIP-2930), and its gas with that list.",
  paramNames: ["tx", "block", "state_overrides"],
  params: z.tuple([callObject, blockOrLatest, stateOverrides.nullish()]),
  result: accessListResultShape,
  examples: [{ summary: "A token balance", params: [balanceOf, "latest"] }],
});

export const eth_fillTransaction = defineMethod({
  name: "eth_fillTransaction",
  summary: "Fills nonce, gas, fees and chain id; answers the payload to sign and the filled call.",
  paramNames: ["tx"],
  params: z.tuple([callObject]),
  result: filledTransactionShape,
  examples: [{ summary: "A plain transfer", params: [transfer] }],
});

export const eth_gasPrice = defineMethod({
  name: "eth_gasPrice",
  summary: "Gas price in wei that a legacy transaction should offer: base fee and a tip.",
  paramNames: [],
  params: z.tuple([]),
  result: hexQuantity,
  examples: [{ summary: "Now", params: [] }],
});

export const eth_maxPriorityFeePerGas = defineMethod({
  name: "eth_maxPriorityFeePerGas",
  summary: "Tip in wei per gas that a transaction should offer.",
  paramNames: [],
  params: z.tuple([]),
  result: hexQuantity,
  examples: [{ summary: "Now", params: [] }],
});

export const eth_blobBaseFee = defineMethod({
  name: "eth_blobBaseFee",
  summary: "Base fee per blob gas of the next block in wei (EIP-7516).",
  paramNames: [],
  params: z.tuple([]),
  result: hexQuantity,
  examples: [{ summary: "Now", params: [] }],
});

export const eth_feeHistory = defineMethod({
  name: "eth_feeHistory",
  summary: "Base fees, fullness and tips at percentiles of a range of blocks, and the next base fee.",
  paramNames: ["block_count", "newest_block", "reward_percentiles"],
  params: z.tuple([safeInteger, blockOrLatest, z.array(z.number()).max(100).nullish()]),
  result: feeHistoryShape,
  examples: [{ summary: "The last four blocks", params: ["0x4", "latest", [10, 50, 90]] }],
});

export const eth_sendRawTransaction = defineMethod({
  name: "eth_sendRawTransaction",
  summary: "Puts a signed transaction into the pool and answers its hash.",
  paramNames: ["hex_tx"],
  params: z.tuple([data]),
  result: hexHash,
  examples: [
    {
      summary: "A transfer between developer accounts on chain 10143",
      params: [
        "0x02f87482279f80847735940085746a52880082520894f39fd6e51aad88f6f4ce6ab8827279cfffb9226687038d7ea4c6800080c001a04c18fd9d792f2d1c74a527eb940bb476113ae857ad1422a51ffe1b5b6e144464a02176cb58d26a477d344ecf7650e88a6b652f3e75885a0dab2b9cece92022df7f",
      ],
    },
  ],
});

export const eth_sendRawTransactionSync = defineMethod({
  name: "eth_sendRawTransactionSync",
  summary: "Sends a signed transaction and answers its receipt once mined (EIP-7966).",
  paramNames: ["hex_tx", "timeout_ms"],
  params: z.tuple([data, safeInteger.nullish()]),
  result: receiptShape,
  examples: [
    {
      summary: "A transfer between developer accounts on chain 10143, waiting up to 5 s",
      params: [
        "0x02f87482279f80847735940085746a52880082520894f39fd6e51aad88f6f4ce6ab8827279cfffb9226687038d7ea4c6800080c080a080e180052922b51f7025dfca2f088d8a4048afdd0520da2a2c059310e16df2f4a02dfc579576170849401dae08113ea8b5d4bd8c50070334461bcef5026ae73a7b",
        5000,
      ],
    },
  ],
});
