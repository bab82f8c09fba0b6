/**
 * eth_subscribe, independent of the transport: sessions, their subscriptions, and chain events as eth_subscription
 * notifications. Invariant: a client receives the response with the subscription id before that subscription's first
 * event, all events in chain order, and none after the response to eth_unsubscribe.
 */
import type { Alteration, HeadEvent } from "@/server/chain/chain";
import { isInRange, isMatch } from "@/server/chain/filters";
import type { PoolEvent } from "@/server/chain/txpool/state";
import type { Hex, Log, MinedLog } from "@/server/ethereum/types";
import type { Dispatcher } from "@/server/rpc/dispatch";
import { encodeHeader, encodeLog, encodeRemovedLog, encodeTransaction } from "@/server/rpc/encode";
import { toLimitExceeded } from "@/server/rpc/errors";
import type { Caller, ChainEvents, Subscriber, SubscriptionInput } from "@/server/rpc/ports";

/** Sends one message to the client; an event is a message that answers no request. */
type Send = (text: string, kind: "answer" | "event") => void;

/** JSON-RPC with one client over an open connection. */
export type Session = {
  /** Processes a request or batch and sends its response, if it has one. Never rejects. */
  receive(body: Uint8Array): Promise<void>;
  subscriptionCount(): number;
  /** Ends its subscriptions; nothing more is sent. */
  close(): void;
};

export type Subscriptions = {
  open(client: Caller, send: Send): Session;
  /** Closes every session. */
  close(): void;
};

type Subscription = {
  input: SubscriptionInput;
  /** Results held back until the response with the id has been sent. */
  held: string[] | undefined;
  /** Each result is already JSON. */
  tell(results: string[]): void;
};

/** perSession limits each client's subscriptions. The chain is observed only while there are subscribers. */
export function createSubscriptions(options: {
  /** undefined if the network has none: then sessions only answer. */
  events: ChainEvents | undefined;
  dispatcher: Pick<Dispatcher, "dispatch">;
  perSession: number;
}): Subscriptions {
  const { events, dispatcher, perSession } = options;
  const sessions = new Set<Session>();
  const subscriptions = new Set<Subscription>();
  let stopListening: (() => void) | undefined;

  /** Each event is serialized once per kind, however many clients subscribe. */
  function listen(): void {
    if (!events) return;
    const stops = [
      events.onHead((event) => publish({ head: event })),
      events.onAlter((event) => publish({ alter: event })),
      events.pool.onChange((event) => publish({ pool: event })),
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

  function open(client: Caller, send: Send): Session {
    const own = new Map<string, Subscription>();
    let closed = false;

    /** Collects the subscriptions that one message makes; they hold back events until its response is sent. */
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
          // The connection may have closed while the request waited in a batch.
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
        const answer = await dispatcher.dispatch(body, { ...client, subscriber: createSubscriber(made) });
        if (closed) return;
        if (answer !== undefined) send(answer, "answer");
        for (const subscription of made) {
          const held = subscription.held ?? [];
          subscription.held = undefined;
          // Skip a subscription that ended in the same batch, or through another message in the meantime.
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

type ChainEvent = { head: HeadEvent } | { alter: Alteration } | { pool: PoolEvent };

/** The results of one event for a subscription, as JSON, each serialized on first use. */
function createResultFinder(event: ChainEvent): (input: SubscriptionInput) => string[] {
  if ("pool" in event) {
    const { added } = event.pool;
    const hashes = once(() => added.map(({ hash }) => JSON.stringify(hash)));
    const whole = once(() => added.map((transaction) => JSON.stringify(encodeTransaction(transaction, undefined))));
    return (input) => (input.kind !== "newPendingTransactions" ? [] : input.full ? whole() : hashes());
  }
  if ("alter" in event) {
    const { header: head, removed } = event.alter;
    if (!removed) return () => [];
    return (input) => {
      // newHeads subscribers see the number drop, as after a reorganization.
      if (input.kind === "newHeads") return [JSON.stringify(encodeHeader(head))];
      if (input.kind !== "logs") return [];
      const gone = removed.logs.filter(
        (log) =>
          isInRange(input.filter.range, { number: log.blockNumber, hash: log.blockHash }) && isMatch(input.filter, log),
      );
      return gone.map((log) => JSON.stringify(encodeRemovedLog(log)));
    };
  }
  const header = once(() => [JSON.stringify(encodeHeader(event.head.block.header))]);
  const logs = once(() => listLogs(event.head));
  return (input) => {
    if (input.kind === "newHeads") return header();
    if (input.kind !== "logs" || !isInRange(input.filter.range, event.head.block.header)) return [];
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

function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
