/**
 * Methods for the accounts that the node signs for: the development accounts and impersonated accounts. Only callers
 * that may use dev controls can have the node sign.
 */
import { z } from "zod";
import { address, data, hexAddress, hexData, hexHash, safeInteger } from "@/lib/rpc/codec";
import { callObject, typedData } from "@/lib/rpc/inputs";
import { aliasMethods, defineMethods } from "@/lib/rpc/schema/define";
import { noReceipt, refusedByPool } from "@/lib/rpc/schema/errors";
import { developer, recipient } from "@/lib/rpc/schema/exampleValues";
import { poolLimits } from "@/lib/rpc/schema/limits";
import { receiptShape } from "@/lib/rpc/shapes";

const transfer = { from: developer, to: recipient, value: "0xde0b6b3a7640000" };
const greeting = "0x68656c6c6f";
const signs = { requires: "devControls", result: hexData } as const;
const sends = {
  requires: "devControls",
  paramNames: ["transaction"],
  params: z.tuple([callObject]),
  result: hexHash,
  errors: [refusedByPool],
  limits: poolLimits,
} as const;

const typedExample = {
  domain: { name: "Example", version: "1" },
  types: {
    EIP712Domain: [
      { name: "name", type: "string" },
      { name: "version", type: "string" },
    ],
    Mail: [{ name: "contents", type: "string" }],
  },
  primaryType: "Mail",
  message: { contents: "hello" },
};

const lists = defineMethods("reads", {
  eth_accounts: {
    summary:
      "Returns the accounts that the node can send from: development and impersonated accounts. Empty without dev controls.",
    result: z.array(hexAddress),
    examples: [{ summary: "Unlocked accounts", params: [] }],
  },
});

export const ethAccountsMethods = {
  ...lists,
  ...aliasMethods(lists, { eth_requestAccounts: "eth_accounts" }),

  ...defineMethods("signs", {
    eth_sign: {
      summary: "Signs a message, prefixed as in EIP-191, with a development account's key.",
      paramNames: ["address", "message"],
      params: z.tuple([address, data]),
      ...signs,
      examples: [{ summary: "hello", params: [developer, greeting] }],
    },

    personal_sign: {
      summary: "Signs a message like eth_sign, with the message as the first param.",
      paramNames: ["message", "address", "password"],
      params: z.tuple([data, address, z.string().nullish()]),
      ...signs,
      examples: [{ summary: "hello", params: [greeting, developer] }],
    },

    eth_signTypedData_v4: {
      summary: "Signs typed data (EIP-712), given as an object or as JSON text, with a development account's key.",
      paramNames: ["address", "typed_data"],
      params: z.tuple([address, typedData]),
      ...signs,
      examples: [{ summary: "A message with one field", params: [developer, typedExample] }],
    },

    eth_signTransaction: {
      summary:
        "Fills in a transaction for this chain and signs it with a development account's key; returns the raw transaction without sending it.",
      paramNames: ["transaction"],
      params: z.tuple([callObject]),
      ...signs,
      examples: [{ summary: "A plain transfer", params: [transfer] }],
    },

    eth_sendTransaction: {
      summary:
        "Fills in, signs and sends a transaction from a development account, or sends it from an impersonated account.",
      ...sends,
      examples: [{ summary: "A plain transfer", params: [transfer] }],
    },

    eth_sendTransactionSync: {
      summary: "Sends a transaction like eth_sendTransaction, waits until it is mined and returns its receipt.",
      ...sends,
      paramNames: ["transaction", "timeout_ms"],
      params: z.tuple([callObject, safeInteger.nullish()]),
      result: receiptShape,
      errors: [refusedByPool, ...noReceipt],
      examples: [{ summary: "A plain transfer", params: [transfer] }],
    },

    eth_sendUnsignedTransaction: {
      summary: "Sends a transaction from any account without its key.",
      ...sends,
      examples: [{ summary: "A plain transfer", params: [transfer] }],
    },
  }),
};
