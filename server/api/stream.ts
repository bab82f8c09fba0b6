/**
 * GET /api/stream/{network}: chain events as server-sent events `head`, `pool`, `payment` and `reset`, in JSON-RPC wire
 * format. A client that missed events gets `reset` and must read the current state again.
 */

import { toQuantity } from "@/lib/units";
import { createEventLog, type EventLog } from "@/server/api/eventLog";
import type { Chain } from "@/server/chain/chain";
import type { PoolEvent } from "@/server/chain/txpool/state";
import type { Block, Hash, Hex } from "@/server/ethereum/types";
import { corsHeaders, findReadOnlyAnswer, toErrorAnswer } from "@/server/http/answers";
import { toClientKey } from "@/server/http/rateLimit";
import type { HttpRequest, HttpResponse } from "@/server/http/types";
import { log } from "@/server/log/log";
import type { PaymentRecord } from "@/server/ports/store";
import type { WireHead } from "@/server/remote/heads";
import { encodeHeader } from "@/server/rpc/encode";

/** The data of a `head` event: enough to render the block's row without another request. */
export type HeadData = {
  number: Hex;
  hash: Hash;
  parentHash: Hash;
  timestamp: Hex;
  gasUsed: Hex;
  gasLimit: Hex;
  baseFeePerGas: Hex | null;
  transactionCount: Hex;
  transactions: Hash[];
};

export function toHeadData(head: WireHead): HeadData {
  const { number, hash, parentHash, timestamp, gasUsed, gasLimit, baseFeePerGas, transactions } = head;
  return {
    number,
    hash,
    parentHash,
    timestamp,
    gasUsed,
    gasLimit,
    baseFeePerGas: baseFeePerGas ?? null,
    transactionCount: toQuantity(transactions.length),
    transactions,
  };
}

const encodeHead = ({ header, transactions }: Block): HeadData =>
  toHeadData({ ...encodeHeader(header), transactions: transactions.map(({ hash }) => hash) });

/** The data of a `payment` event: which ledger entry changed, and its new state. */
function toPaymentData({ id, state, payer, payee, transaction }: PaymentRecord): Record<string, unknown> {
  return { id, state, payer, payee, transaction: transaction ?? null };
}

/**
 * Returns whether this client may open another event stream. May first make room by ending a stream of the client that
 * has the most.
 */
export type MakeRoom = (address: string) => boolean;

export type NetworkStream = Pick<EventLog, "clientCount" | "listAddresses" | "dropNewest"> & {
  publishPayment(payment: PaymentRecord): void;
  answer(request: HttpRequest): HttpResponse;
  /** Ends every client's stream and stops listening to the chain. */
  close(): void;
};

/** The source of a stream's events, for local and remote chains. */
export type StreamSource = {
  /** Identifies the chain and its history. */
  epoch: string;
  /** The data of a `head` event for the current head. */
  head: HeadData | undefined;
  onHead(listener: (head: HeadData) => void): () => void;
  /**
   * Notifies the listener if earlier events may be outdated. If the chain was replaced, `replaced` has the new head and
   * epoch. If only the state was edited, `replaced` is undefined.
   */
  onAlter?(listener: (replaced?: { head: HeadData | undefined; epoch: string }) => void): () => void;
  onPool?(listener: (change: { added: Hash[]; removed: PoolEvent["removed"] }) => void): () => void;
};

/** Creates the event stream for a local chain. `makeRoom` decides whether one more client is allowed. */
export async function createNetworkStream(chain: Chain, makeRoom: MakeRoom): Promise<NetworkStream> {
  const stored = await chain.store.findBlock(chain.head().number);
  const source: StreamSource = {
    epoch: await readEpoch(chain),
    head: stored && encodeHead(stored),
    onHead: (listener) => chain.onHead(({ block }) => listener(encodeHead(block))),
    onAlter: (listener) =>
      chain.onAlter(({ header, removed }) => {
        if (!removed) return listener();
        const tell = async () => {
          const block = await chain.store.findBlock(header.number);
          listener({ head: block && encodeHead(block), epoch: await readEpoch(chain) });
        };
        tell().catch((error) =>
          log.error("an event stream could not publish a change", error, { network: chain.name }),
        );
      }),
    onPool: (listener) =>
      chain.pool.onChange(({ added, removed }) => listener({ added: added.map(({ hash }) => hash), removed })),
  };
  return createStream(source, makeRoom);
}

/** Returns an ID of the chain and its history, which is the same on every instance and after a restart. */
async function readEpoch(chain: Chain): Promise<string> {
  const history = await chain.store.findHistory();
  const name = toEpoch(chain.genesisHash);
  return history === 0 ? name : `${name}-${history}`;
}

export const toEpoch = (genesisHash: Hash) => genesisHash.slice(2, 14);

/** Creates the event stream for any chain, local or remote. */
export function createStream(source: StreamSource, makeRoom: MakeRoom): NetworkStream {
  const events: EventLog = createEventLog(source.epoch);
  let { head } = source;

  const stopHeads = source.onHead((next) => {
    head = next;
    events.publish("head", head);
  });
  const stopAltering = source.onAlter?.((replaced) => {
    if (replaced) {
      ({ head } = replaced);
      events.restart(replaced.epoch);
    } else events.publish("reset", {});
    if (head) events.publish("head", head);
  });
  const stopPool = source.onPool?.((change) => events.publish("pool", change));

  return {
    publishPayment: (payment) => events.publish("payment", toPaymentData(payment)),
    clientCount: events.clientCount,
    listAddresses: events.listAddresses,
    dropNewest: events.dropNewest,
    answer(request) {
      const refusal = findReadOnlyAnswer(request.method);
      if (refusal) return refusal;
      const address = toClientKey(request);
      if (!makeRoom(address)) {
        return toErrorAnswer(503, "Too many event streams are open; close one or raise TOLLSCAN_LIMIT_SUBSCRIPTIONS.", {
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
      return { status: 200, headers, body: events.open(request.headers["last-event-id"], current, address) };
    },
    close() {
      stopHeads();
      stopAltering?.();
      stopPool?.();
      events.close();
    },
  };
}

/**
 * Returns whether this client may open a stream. If all streams are in use, makes room by ending a stream of the client
 * with the most streams, but only if that client has at least two more than this one.
 */
export function makeStreamRoom(
  streams: readonly Pick<NetworkStream, "listAddresses" | "dropNewest">[],
  address: string,
  most: number,
): boolean {
  const open = streams.flatMap((stream) => stream.listAddresses());
  if (open.length < most) return true;
  const byAddress = [...Map.groupBy(open, (each) => each).values()];
  const greediest = byAddress.reduce((one, other) => (other.length > one.length ? other : one));
  const own = open.filter((each) => each === address).length;
  return greediest.length > own + 1 && streams.some((stream) => stream.dropNewest(greediest[0]!));
}
