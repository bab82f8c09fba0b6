/**
 * eth_ methods that run a transaction without sending it. The call object is the same everywhere; its block defaults to
 * latest.
 */
import { z } from "zod";
import { blockOrLatest, hexData, hexQuantity } from "@/lib/rpc/codec";
import { blockOverrides, callObject, stateOverrides } from "@/lib/rpc/inputs";
import { defineMethod } from "@/lib/rpc/schema/define";
import { halted, reverted, unknownBlock } from "@/lib/rpc/schema/errors";
import { runLimits } from "@/lib/rpc/schema/limits";
import { accessListResultShape } from "@/lib/rpc/shapes";

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
  effect: "runs",
  paramNames: ["transaction", "block", "state_overrides", "block_overrides"],
  params: z.tuple([callObject, blockOrLatest, stateOverrides.nullish(), blockOverrides.nullish()]),
  result: hexData,
  errors: [unknownBlock, reverted, halted],
  limits: runLimits,
  isForwarded: true,
  isMetered: true,
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
  effect: "runs",
  paramNames: ["tx", "block", "state_override_set"],
  params: z.tuple([callObject, blockOrLatest, stateOverrides.nullish()]),
  result: hexQuantity,
  errors: [unknownBlock, reverted, halted],
  limits: runLimits,
  isForwarded: true,
  isMetered: true,
  examples: [{ summary: "A plain transfer", params: [transfer] }],
});

export const eth_createAccessList = defineMethod({
  name: "eth_createAccessList",
  summary: "Addresses and slots that the call touches (EIP-2930), and its gas with that list.",
  effect: "runs",
  paramNames: ["tx", "block", "state_overrides"],
  params: z.tuple([callObject, blockOrLatest, stateOverrides.nullish()]),
  result: accessListResultShape,
  errors: [unknownBlock, halted],
  limits: runLimits,
  isForwarded: true,
  isMetered: true,
  examples: [{ summary: "A token balance", params: [balanceOf, "latest"] }],
});
