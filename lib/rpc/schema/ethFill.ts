import { z } from "zod";
import { callObject } from "@/lib/rpc/inputs";
import { defineMethods } from "@/lib/rpc/schema/define";
import { halted, reverted } from "@/lib/rpc/schema/errors";
import { runLimits } from "@/lib/rpc/schema/limits";
import { filledTransactionShape } from "@/lib/rpc/shapes";

const transfer = {
  from: "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266",
  to: "0x70997970c51812dc3a010c7d01b50e0d17dc79c8",
  value: "0xde0b6b3a7640000",
};

export const ethFillMethods = defineMethods("runs", {
  eth_fillTransaction: {
    summary: "Fills in a transaction's nonce, gas, fees and chain ID; returns the transaction and the payload to sign.",
    paramNames: ["tx"],
    params: z.tuple([callObject]),
    result: filledTransactionShape,
    errors: [reverted, halted],
    limits: runLimits,
    examples: [{ summary: "A plain transfer", params: [transfer] }],
  },
});
