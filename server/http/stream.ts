/**
 * GET /api/stream/{network}: what happens on a chain as server-sent events `head`, `pool`, `payment` and `reset`, in
 * the wire form of JSON-RPC. A client that misses events is told `reset` and reads the present state anew.
 */

import type { Chain } from "@/server/chain/chain";
import type { Block } from "@/server/chain/types";
import { corsHeaders, findReadOnlyAnswer, toErrorAnswer } from "@/server/http/answers";
import { createEventLog, type EventLog } from "@/server/http/eventLog";
import type { HttpRequest, HttpResponse } from "@/server/http/types";
import { toQuantity } from "@/server/rpc/encode";
import type { PaymentRecord } from "@/server/storage/port";

/** What `head` carries: enough to draw the block's row without asking for it. */
function toHeadData({ header, transactions }: Block): Record<string, unknown> {
  return {
    number: toQuantity(header.number),
    hash: header.hash,
    parentHash: header.parentHash,
    timestamp: toQuantity(header.timestamp),
    gasUsed: toQuantity(header.gasUsed),
    gasLimit: toQuantity(header.gasLimit),
    baseFeePerGas: header.baseFeePerGas === undefined ? null : toQuantity(header.baseFeePerGas),
    transactionCount: toQuantity(transactions.length),
    transactions: transactions.map(({ hash }) => hash),
  };
}

/** What `payment` carries: which entry of the ledger changed, and to what. */
function toPaymentData({ id, state, payer, payee, transaction }: PaymentRecord): Record<string, unknown> {
  return { id, state, payer, payee, transaction: transaction ?? null };
}

export type NetworkStream = {
  publishPayment(payment: PaymentRecord): void;
  answer(request: HttpRequest): HttpResponse;
  clientCount(): number;
  /** Ends every client's stream and stops listening to the chain. */
  close(): void;
};

/** Follows a chain. `mayOpen` says whether one more client is allowed. */
export async function createNetworkStream(chain: Chain, mayOpen: () => boolean): Promise<NetworkStream> {
  const events: EventLog = createEventLog(chain.genesisHash.slice(2, 14));
  const stored = await chain.store.findBlock(chain.head().number);
  let head = stored && toHeadData(stored);

  const stopHeads = chain.onHead(({ block }) => {
    head = toHeadData(block);
    events.publish("head", head);
  });
  const stopPool = chain.pool.onChange(({ added, removed }) => {
    events.publish("pool", { added: added.map(({ hash }) => hash), removed });
  });

  return {
    publishPayment: (payment) => events.publish("payment", toPaymentData(payment)),
    clientCount: events.clientCount,
    answer(request) {
      const refusal = findReadOnlyAnswer(request.method);
      if (refusal) return refusal;
      if (!mayOpen()) {
        return toErrorAnswer(503, "Too many event streams are open (TOLLSCAN_LIMIT_SUBSCRIPTIONS).", {
          "retry-after": "30",
        });
      }
      const headers = {
        "content-type": "text/event-stream; charset=utf-8",
        "cache-control": "no-cache, no-transform",
        "x-accel-buffering": "no",
        ...corsHeaders,
      };
      const current = head && { event: "head", data: head };
      return { status: 200, headers, body: events.open(request.headers["last-event-id"], current) };
    },
    close() {
      stopHeads();
      stopPool();
      events.close();
    },
  };
}
