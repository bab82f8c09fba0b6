/**
 * eth_subscribe without a transport: sessions, what each follows, and the chain's events as eth_subscription
 * notifications. The invariant: a client reads the answer that names a subscription before that subscription's first
 * event, every event in chain order, and none after the answer of eth_unsubscribe.
 */
import type { Chain, HeadEvent } from "@/server/chain/chain";
import type { LogFilter } from "@/server/chain/filters";
import type { PoolEvent } from "@/server/chain/txpool/pool";
import type { Hex, Log, MinedLog } from "@/server/chain/types";
import type { Caller, Subscriber, SubscriptionInput } from "@/server/rpc/context";
import type { Dispatcher } from "@/server/rpc/dispatch";
import { encodeHeader, encodeLog, encodeTransaction } from "@/server/rpc/encode";
import { toLimitExceeded } from "@/server/rpc/errors";

/** Takes one message for the client; an event is what nobody asked for at that moment. */
export type Send = (text: string, kind: "answer" | "event") => void;

/** JSON-RPC with one client over a connection that stays open. */
export type Session = {
  /** Runs a message, a request or a batch, and sends its answer where it has one. Never rejects. */
  receive(body: Uint8Array): Promise<void>;
  subscriptionCount(): number;
  /** Ends its subscriptions; nothing is sent any more. */
  close(): void;
};

export type Subscriptions = {
  open(address: string | undefined, send: Send): Session;
  /** Closes every session. */
  close(): void;
};

type Subscription = {
  input: SubscriptionInput;
  /** Results that came before the answer with the id was sent. */
  held: string[] | undefined;
  /** Takes results, each already JSON. */
  tell(results: string[]): void;
};

/** perSession bounds the subscriptions of one client. The chain is only listened to while somebody subscribes. */
export function createSubscriptions(options: {
  chain: Pick<Chain, "onHead"> & { pool: Pick<Chain["pool"], "onChange"> };
  dispatcher: Pick<Dispatcher, "dispatch">;
  perSession: number;
}): Subscriptions {
  const { chain, dispatcher, perSession } = options;
  const sessions = new Set<Session>();
  const subscriptions = new Set<Subscription>();
  let stopListening: (() => void) | undefined;

  /** What a kind of event is in JSON is worked out once, however many follow it. */
  function listen(): void {
    const stops = [
      chain.onHead((event) => publish({ head: event })),
      chain.pool.onChange((event) => publish({ pool: event })),
    ];
    stopListening = () => {
      for (const stop of stops) stop();
      stopListening = undefined;
    };
  }

  function publish(event: ChainEvent): void {
    const find = createResultFinder(event);
    for (const subscription of [...subscriptions]) {
      const results = find(subscription.input);
      if (results.length > 0) subscription.tell(results);
    }
  }

  function add(subscription: Subscription): void {
    subscriptions.add(subscription);
    if (!stopListening) listen();
  }

  function remove(subscription: Subscription): void {
    subscriptions.delete(subscription);
    if (subscriptions.size === 0) stopListening?.();
  }

  function open(address: string | undefined, send: Send): Session {
    const own = new Map<string, Subscription>();
    let closed = false;

    /** What one message subscribes to with: its subscriptions wait for its answer. */
    function createSubscriber(made: Subscription[]): Subscriber {
      return {
        add(input) {
          if (own.size >= perSession) {
            const why = `One connection has at most ${perSession} subscriptions; end one first.`;
            throw toLimitExceeded("socketSubscriptions", why);
          }
          const id: Hex = `0x${Buffer.from(crypto.getRandomValues(new Uint8Array(16))).toString("hex")}`;
          const head = `{"jsonrpc":"2.0","method":"eth_subscription","params":{"subscription":"${id}","result":`;
          const subscription: Subscription = {
            input,
            held: [],
            tell(results) {
              if (this.held) this.held.push(...results);
              else for (const result of results) send(`${head}${result}}}`, "event");
            },
          };
          // The connection may have ended while the request waited in a batch.
          if (closed) return id;
          own.set(id, subscription);
          made.push(subscription);
          add(subscription);
          return id;
        },
        remove(id) {
          const subscription = own.get(id);
          if (!subscription) return false;
          own.delete(id);
          remove(subscription);
          return true;
        },
      };
    }

    const session: Session = {
      async receive(body) {
        const made: Subscription[] = [];
        const subscriber = createSubscriber(made);
        const caller: Caller = address === undefined ? { subscriber } : { address, subscriber };
        const answer = await dispatcher.dispatch(body, caller);
        if (closed) return;
        if (answer !== undefined) send(answer, "answer");
        for (const subscription of made) {
          const held = subscription.held ?? [];
          subscription.held = undefined;
          // Ended within the batch that made it, or by another message meanwhile.
          if (subscriptions.has(subscription)) subscription.tell(held);
        }
      },
      subscriptionCount: () => own.size,
      close() {
        closed = true;
        for (const subscription of own.values()) remove(subscription);
        own.clear();
        sessions.delete(session);
      },
    };
    sessions.add(session);
    return session;
  }

  return {
    open,
    close() {
      for (const session of [...sessions]) session.close();
    },
  };
}

type ChainEvent = { head: HeadEvent } | { pool: PoolEvent };

/** The results of one event for an input, as JSON; each is made when first asked for. */
function createResultFinder(event: ChainEvent): (input: SubscriptionInput) => string[] {
  if ("pool" in event) {
    const { added } = event.pool;
    const hashes = once(() => added.map(({ hash }) => JSON.stringify(hash)));
    const whole = once(() => added.map((transaction) => JSON.stringify(encodeTransaction(transaction, undefined))));
    return (input) => (input.kind !== "newPendingTransactions" ? [] : input.full ? whole() : hashes());
  }
  const header = once(() => [JSON.stringify(encodeHeader(event.head.block.header))]);
  const logs = once(() => listLogs(event.head));
  return (input) => {
    if (input.kind === "newHeads") return header();
    if (input.kind !== "logs" || !isInRange(input.filter.range, event.head)) return [];
    return logs().flatMap(({ log, text }) => (isMatch(input.filter, log) ? [text()] : []));
  };
}

function listLogs({ block, receipts }: HeadEvent): { log: Log; text: () => string }[] {
  const { header, transactions } = block;
  return receipts.flatMap((receipt, transactionIndex) => {
    const transactionHash = transactions[transactionIndex]?.hash;
    if (transactionHash === undefined) throw new Error("A block has a receipt without its transaction.");
    return receipt.logs.map((log, position) => {
      const mined: MinedLog = {
        ...log,
        blockNumber: header.number,
        blockHash: header.hash,
        blockTimestamp: header.timestamp,
        transactionHash,
        transactionIndex,
        logIndex: receipt.firstLogIndex + position,
      };
      return { log, text: once(() => JSON.stringify(encodeLog(mined))) };
    });
  });
}

/** Numbers restrict the blocks that are told of; a tag means from now on. */
function isInRange(range: LogFilter["range"], { block: { header } }: HeadEvent): boolean {
  if ("blockHash" in range) return range.blockHash === header.hash;
  if (range.from && "number" in range.from && header.number < range.from.number) return false;
  return !(range.to && "number" in range.to && header.number > range.to.number);
}

function isMatch({ addresses, topics }: Pick<LogFilter, "addresses" | "topics">, log: Log): boolean {
  if (addresses && !addresses.includes(log.address)) return false;
  if (log.topics.length < topics.length) return false;
  return topics.every((wanted, position) => !wanted || wanted.includes(log.topics[position] ?? "0x"));
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
