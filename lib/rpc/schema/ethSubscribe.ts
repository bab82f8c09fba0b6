/** eth_ methods that subscribe to events, which the node pushes. They are available only over WebSocket. */
import { z } from "zod";
import { hexData } from "@/lib/rpc/codec";
import { logFilter } from "@/lib/rpc/inputs";
import { defineMethods } from "@/lib/rpc/schema/define";
import { token, transferTopic } from "@/lib/rpc/schema/exampleValues";
import { ofPrepared } from "@/lib/rpc/schema/live";

const kind = z.enum(["newHeads", "logs", "newPendingTransactions"]);
const option = z.union([z.boolean(), logFilter]).nullish();

/**
 * For `logs`, the second param is a log filter. For `newPendingTransactions`, it is a boolean. `newHeads` ignores it.
 */
const subscribeParams = z.tuple([kind, option]).superRefine(([what, given], context) => {
  const refuse = (message: string) => context.addIssue({ code: "custom", path: [1], message });
  if (what === "logs" && typeof given === "boolean") refuse('"logs" takes a filter object, not a boolean');
  if (what === "newPendingTransactions" && given && typeof given === "object") {
    refuse("newPendingTransactions takes true (for full transactions) or false, not an object");
  }
});

export const ethSubscribeMethods = defineMethods("follows", {
  eth_subscribe: {
    summary: "Subscribes to new heads, matching logs or new pending transactions; returns an ID. WebSocket only.",
    paramNames: ["kind", "option"],
    params: subscribeParams,
    result: hexData,
    limits: ["socketSubscriptions"],
    examples: [
      { summary: "New heads", params: ["newHeads"], refused: true },
      { summary: "Token transfers", params: ["logs", { address: token, topics: [transferTopic] }], refused: true },
      { summary: "New pending transactions, in full", params: ["newPendingTransactions", true], refused: true },
    ],
  },

  eth_unsubscribe: {
    summary: "Ends a subscription of this connection; returns false if it doesn't exist. WebSocket only.",
    paramNames: ["subscription_id"],
    params: z.tuple([z.string().regex(/^0x[0-9a-f]{1,64}$/, "not a subscription ID")]),
    result: z.boolean(),
    examples: [{ summary: "An unknown subscription", params: ["0x1"], refused: true }],
    toLiveExamples: ofPrepared("A newly created subscription", { method: "eth_subscribe", params: ["newHeads"] }),
  },
});
