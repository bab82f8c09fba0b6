/**
 * eth_ methods for subscriptions, with which the node pushes events. They need a long-lived connection, so the endpoint
 * serves them over WebSocket only.
 */
import { z } from "zod";
import { hexData } from "@/lib/rpc/codec";
import { logFilter } from "@/lib/rpc/inputs";
import { defineMethods } from "@/lib/rpc/schema/define";
import { token, transferTopic } from "@/lib/rpc/schema/exampleValues";
import { ofPrepared } from "@/lib/rpc/schema/live";

const kind = z.enum(["newHeads", "logs", "newPendingTransactions"]);
const option = z.union([z.boolean(), logFilter]).nullish();

/** The option is a log filter for logs and a boolean for newPendingTransactions; newHeads ignores it. */
const subscribeParams = z.tuple([kind, option]).superRefine(([what, given], context) => {
  const refuse = (message: string) => context.addIssue({ code: "custom", path: [1], message });
  if (what === "logs" && typeof given === "boolean") refuse("logs takes a filter object");
  if (what === "newPendingTransactions" && given && typeof given === "object") {
    refuse("newPendingTransactions takes true for whole transactions");
  }
});

export const ethSubscribeMethods = defineMethods("follows", {
  eth_subscribe: {
    summary: "Over WebSocket: follows new heads, matching logs or transactions new in the pool; answers an id.",
    paramNames: ["kind", "option"],
    params: subscribeParams,
    result: hexData,
    limits: ["socketSubscriptions"],
    examples: [
      { summary: "New heads", params: ["newHeads"], refused: true },
      { summary: "Token transfers", params: ["logs", { address: token, topics: [transferTopic] }], refused: true },
      { summary: "Whole new transactions", params: ["newPendingTransactions", true], refused: true },
    ],
  },

  eth_unsubscribe: {
    summary: "Over WebSocket: ends a subscription of the same connection; false where there was none.",
    paramNames: ["subscription_id"],
    params: z.tuple([z.string().regex(/^0x[0-9a-f]{1,64}$/, "not a subscription id")]),
    result: z.boolean(),
    examples: [{ summary: "A subscription that is not there", params: ["0x1"], refused: true }],
    toLiveExamples: ofPrepared("A subscription made for it", { method: "eth_subscribe", params: ["newHeads"] }),
  },
});
