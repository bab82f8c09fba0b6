/** Sends signed transactions, with or without waiting for the receipt (EIP-7966). */

import { toBytes } from "@/server/ethereum/codec/bytes";
import { awaitBlock } from "@/server/rpc/awaitBlock";
import { awaitReceipt } from "@/server/rpc/awaitReceipt";
import { handlers } from "@/server/rpc/ports";

export const submitHandlers = {
  ...handlers(["submission", "calls"], {
    eth_sendRawTransaction: async (context, raw) =>
      awaitBlock(context, await context.submission.submit(toBytes(raw), { isAwaited: true })),
  }),

  ...handlers(["submission", "pool"], {
    eth_sendRawTransactionSync: async (context, raw, timeoutMs) =>
      awaitReceipt(context, await context.submission.submit(toBytes(raw)), timeoutMs),
  }),
};
