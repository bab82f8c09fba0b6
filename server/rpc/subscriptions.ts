/**
 * eth_subscribe for any transport: manages sessions and their subscriptions, and sends chain events as eth_subscription
 * notifications. A client receives the subscription ID first, then events in chain order, and none after the response
 * to eth_unsubscribe.
 */
import type { Alteration, HeadEvent } from "@/server/chain/chain";
import { countCriteria, isInRange, isMatch } from "@/server/chain/filters";
import type { PoolEvent } from "@/server/chain/txpool/state";
import type { Hex, Log } from "@/server/ethereum/types";
import type { Dispatcher } from "@/server/rpc/dispatch";
import { encodeHeader, encodeLog, encodeRemovedLog, encodeTransaction, toMinedLog } from "@/server/rpc/encode";
import { toLimitExceeded } from "@/server/rpc/errors";
import type { Caller, ChainEvents, Subscriber, SubscriptionInput } from "@/server/rpc/ports";

/** Sends one message to the client: a response or an event. */
type Send = (text: string, kind: "answer" | "event") => void;

/** A JSON-RPC session with one client over an open connection. */
export type Session = {
  /** Processes a request or batch and sends its response, if any. Never rejects. */
  receive(body: Uint8Array): Promise<void>;
  subscriptionCount(): number;
  /** Ends the session's subscriptions; nothing more is sent. */
  close(): void;
};

export type Subscriptions = {
  open(client: Caller, send: Send): Session;
  /** Closes every session. */
  close(): void;
};

type Subscription = {
  input: SubscriptionInput;
  client: string;
  /** How many addresses and topics the subscription lists. */
  criteria: number;
  /** Results that are held back until the response with the subscription ID has been sent. Undefined after that. */
  held: string[] | undefined;
  /** Sends results to the client. Each result is already JSON. */
  notify(results: string[]): void;
};

type State = {
  events: ChainEvents | undefined;
  dispatcher: Pick<Dispatcher, "dispatch">;
  perSession: number;
  sessions: Set<Session>;
  subscriptions: Set<Subscription>;
  /** Stops listening to chain events. Undefined if there are no subscribers. */
  stopListening: (() => void) | undefined;
};

/**
 * The maximum number of addresses and topics that log subscriptions may list, in total and per client. Each takes about
 * 100 bytes.
 */
const maxCriteria = 200_000;
const maxClientCriteria = 20_000;

/** `perSession` is the maximum number of subscriptions per client. */
export function createSubscriptions(options: {
  /** Undefined if the network has no events. Sessions then only respond to requests. */
  events: ChainEvents | undefined;
  dispatcher: Pick<Dispatcher, "dispatch">;
  perSession: number;
}): Subscriptions {
  const state: State = { ...options, sessions: new Set(), subscriptions: new Set(), stopListening: undefined };
  return {
    open: (client, send) => openSession(state, client, send),
    close() {
      for (const session of [...state.sessions]) session.close();
    },
  };
}

/** Listens to chain events. Each event is serialized once per kind of subscription, however many clients subscribe. */
function listen(state: State): void {
  const { events } = state;
  if (!events || state.stopListening) return;
  const stops = [
    events.onHead((event) => publish(state, { head: event })),
    events.onAlter((event) => publish(state, { alter: event })),
    events.pool.onChange((event) => publish(state, { pool: event })),
  ];
  state.stopListening = () => {
    for (const stop of stops) stop();
    state.stopListening = undefined;
  };
}

function publish({ subscriptions }: State, event: ChainEvent): void {
  const find = createResultFinder(event);
  for (const subscription of [...subscriptions]) {
    const results = find(subscription.input);
    if (results.length > 0) subscription.notify(results);
  }
}

/** Throws RpcError if the client's subscriptions, or all subscriptions together, list too many addresses and topics. */
function assertRoom({ subscriptions }: State, client: string, criteria: number): void {
  let own = criteria;
  let all = criteria;
  for (const each of subscriptions) {
    all += each.criteria;
    if (each.client === client) own += each.criteria;
  }
  if (own <= maxClientCriteria && all <= maxCriteria) return;
  const [limit, whose] = own > maxClientCriteria ? [maxClientCriteria, "a client"] : [maxCriteria, "all clients"];
  const why = `The log subscriptions of ${whose} can list at most ${limit} addresses and topics in total: end a subscription first.`;
  throw toLimitExceeded("socketSubscriptions", why);
}

function removeSubscription({ subscriptions, stopListening }: State, subscription: Subscription): void {
  subscriptions.delete(subscription);
  if (subscriptions.size === 0) stopListening?.();
}

/** A connection and its subscriptions, keyed by ID. */
type Connection = { state: State; client: string; send: Send; own: Map<string, Subscription>; closed: boolean };

function openSession(state: State, client: Caller, send: Send): Session {
  const connection: Connection = { state, client: client.address ?? "", send, own: new Map(), closed: false };
  const session: Session = {
    async receive(body) {
      const made: Subscription[] = [];
      const answer = await state.dispatcher.dispatch(body, {
        ...client,
        subscriber: createSubscriber(connection, made),
      });
      if (connection.closed) return;
      if (answer !== undefined) send(answer, "answer");
      for (const subscription of made) {
        const held = subscription.held ?? [];
        subscription.held = undefined;
        // Skips a subscription that has already ended.
        if (state.subscriptions.has(subscription)) subscription.notify(held);
      }
    },
    subscriptionCount: () => connection.own.size,
    close() {
      connection.closed = true;
      for (const subscription of connection.own.values()) removeSubscription(state, subscription);
      connection.own.clear();
      state.sessions.delete(session);
    },
  };
  state.sessions.add(session);
  return session;
}

/**
 * Adds to `made` the subscriptions that one message creates. Their events are held back until the response to the
 * message has been sent.
 */
function createSubscriber(connection: Connection, made: Subscription[]): Subscriber {
  const { state, client, own } = connection;
  return {
    add(input) {
      if (own.size >= state.perSession) {
        const why = `A connection can have at most ${state.perSession} subscriptions: end one first.`;
        throw toLimitExceeded("socketSubscriptions", why);
      }
      const id: Hex = `0x${Buffer.from(crypto.getRandomValues(new Uint8Array(16))).toString("hex")}`;
      // The connection may have closed while the request was waiting for earlier ones in its batch.
      if (connection.closed) return id;
      const subscription = createSubscription(id, input, connection);
      if (subscription.criteria > 0) assertRoom(state, client, subscription.criteria);
      own.set(id, subscription);
      made.push(subscription);
      state.subscriptions.add(subscription);
      listen(state);
      return id;
    },
    remove(id) {
      const subscription = own.get(id);
      if (!subscription) return false;
      own.delete(id);
      removeSubscription(state, subscription);
      return true;
    },
  };
}

function createSubscription(id: Hex, input: SubscriptionInput, { client, send }: Connection): Subscription {
  const head = `{"jsonrpc":"2.0","method":"eth_subscription","params":{"subscription":"${id}","result":`;
  return {
    input,
    client,
    criteria: input.kind === "logs" ? countCriteria(input.filter) : 0,
    held: [],
    notify(results) {
      if (this.held) this.held.push(...results);
      else for (const result of results) send(`${head}${result}}}`, "event");
    },
  };
}

type ChainEvent = { head: HeadEvent } | { alter: Alteration } | { pool: PoolEvent };

/** Returns the results of one event as JSON. Each result is serialized the first time it is needed. */
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
      // After a rollback, subscribers of newHeads see a lower block number, as after a reorg.
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
  const { hash: blockHash, number: blockNumber, timestamp: blockTimestamp } = block.header;
  return receipts.flatMap((receipt, index) => {
    const transaction = block.transactions[index];
    if (!transaction) throw new Error("A block has a receipt without its transaction.");
    const place = { blockHash, blockNumber, blockTimestamp, index };
    return receipt.logs.map((log, position) => ({
      log,
      text: once(() =>
        JSON.stringify(encodeLog(toMinedLog(log, transaction, place, receipt.firstLogIndex + position))),
      ),
    }));
  });
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
