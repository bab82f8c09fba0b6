/**
 * eth_ methods that execute a call without sending it. They all accept the same call object, and the block defaults to
 * latest, or to pending for an estimate.
 */
import { z } from "zod";
import { blockOrLatest, blockOrPending, hexData, hexQuantity } from "@/lib/rpc/codec";
import { blockOverrides, callObject, stateOverrides } from "@/lib/rpc/inputs";
import { defineMethods } from "@/lib/rpc/schema/define";
import { halted, reverted, unknownBlock } from "@/lib/rpc/schema/errors";
import { developer, recipient, token } from "@/lib/rpc/schema/exampleValues";
import { runLimits } from "@/lib/rpc/schema/limits";
import { accessListResultShape } from "@/lib/rpc/shapes";

const transfer = { from: developer, to: recipient, value: "0xde0b6b3a7640000" };
/** balanceOf(developer) */
const balanceOf = {
  to: token,
  input: "0x70a08231000000000000000000000000f39fd6e51aad88f6f4ce6ab8827279cfffb92266",
};

export const ethExecuteMethods = defineMethods("runs", {
  eth_call: {
    summary: "Executes a call against the state at a block and returns its return data.",
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
        summary: "Call with a contract's code replaced",
        params: [{ to: recipient }, "latest", { [recipient]: { code: "0x602a5f5260205ff3" } }],
      },
    ],
  },

  eth_estimateGas: {
    summary: "Estimates the lowest gas limit at which the call succeeds, by default in the pending block.",
    paramNames: ["tx", "block", "state_override_set"],
    params: z.tuple([callObject, blockOrPending, stateOverrides.nullish()]),
    result: hexQuantity,
    errors: [unknownBlock, reverted, halted],
    limits: runLimits,
    isForwarded: true,
    isMetered: true,
    examples: [{ summary: "A plain transfer", params: [transfer] }],
  },

  eth_createAccessList: {
    summary: "Returns the EIP-2930 access list for a call and the gas it uses with that list.",
    paramNames: ["tx", "block", "state_overrides"],
    params: z.tuple([callObject, blockOrLatest, stateOverrides.nullish()]),
    result: accessListResultShape,
    errors: [unknownBlock, halted],
    limits: runLimits,
    isForwarded: true,
    isMetered: true,
    examples: [{ summary: "A token balance", params: [balanceOf, "latest"] }],
  },
});
