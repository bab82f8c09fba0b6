/**
 * What a method does to the node, which errors it answers besides those of any method, and which limits of the
 * configuration bound it. The OpenRPC document and the console take it from here; a method that is not in the table
 * reads, and fails as any method may.
 */

/**
 * reads: answers from existing data. runs: executes code in a worker and keeps nothing. sends: submits a transaction that
 * the caller signed. follows: needs a connection that stays open. signs: the node itself signs or pays for a transaction.
 * controls: changes the chain directly, for test suites.
 */
export type MethodEffect = "reads" | "runs" | "sends" | "follows" | "signs" | "controls";

/** The kinds of errors, by the names that server/rpc/errors.ts gives their codes. */
export type ErrorKind =
  | "invalidParams"
  | "methodNotFound"
  | "limitExceeded"
  | "server"
  | "notAllowed"
  | "internal"
  | "reverted"
  | "syncTimeout"
  | "syncNotReady";

export type ErrorNote = { kind: ErrorKind; when: string };

/** Limits by the names that errors and the configuration give them. */
export const limitNotes = {
  bodyBytes: "Max request size",
  batchLength: "Max requests per batch",
  responseBytes: "Max response size",
  logBlocks: "Max block range",
  logResults: "Max logs per response",
  feeHistoryBlocks: "Max blocks of fee history",
  callGas: "Max gas per call",
  callTimeMs: "Max milliseconds per call",
  callQueue: "Max queued calls",
  filters: "Max filters, all clients",
  clientFilters: "Max filters per client",
  socketSubscriptions: "Max subscriptions per connection",
  poolTransactions: "Max transactions in the pool",
  poolPerSender: "Max transactions in the pool per sender",
} as const;
export type LimitName = keyof typeof limitNotes;

export type MethodNote = {
  effect?: MethodEffect;
  errors?: readonly ErrorNote[];
  limits?: readonly LimitName[];
};

const unknownBlock: ErrorNote = { kind: "server", when: "The block is not known, or its state is not kept." };
const unknownTransaction: ErrorNote = { kind: "server", when: "The transaction is not known." };
const unknownFilter: ErrorNote = { kind: "server", when: "The filter is not there, or expired." };
const halted: ErrorNote = { kind: "server", when: "The call runs out of gas or halts in another way." };
const reverted: ErrorNote = { kind: "reverted", when: "The call reverts; data holds what it reverted with." };
const refused: ErrorNote = { kind: "server", when: "The pool refuses the transaction; the message says why." };
const notAllowed: ErrorNote = {
  kind: "notAllowed",
  when: "The caller is neither on the node's machine nor at an allowed origin.",
};
const notDeveloped: ErrorNote = { kind: "methodNotFound", when: "The chain may not be changed by hand." };
const needsSocket: ErrorNote = { kind: "methodNotFound", when: "It was asked over HTTP; it needs a WebSocket." };

const runLimits = ["callGas", "callTimeMs", "callQueue"] as const;
const poolLimits = ["poolTransactions", "poolPerSender"] as const;
const filterLimits = ["filters", "clientFilters"] as const;

const reads = (...errors: ErrorNote[]): MethodNote => ({ errors });
const runs = (...errors: ErrorNote[]): MethodNote => ({ effect: "runs", errors, limits: runLimits });

const notes: Readonly<Record<string, MethodNote>> = {
  eth_getBalance: reads(unknownBlock),
  eth_getCode: reads(unknownBlock),
  eth_getStorageAt: reads(unknownBlock),
  eth_getTransactionCount: reads(unknownBlock),
  eth_getProof: reads(unknownBlock),
  eth_feeHistory: { errors: [unknownBlock], limits: ["feeHistoryBlocks"] },
  eth_getLogs: { errors: [unknownBlock], limits: ["logBlocks", "logResults"] },
  eth_newFilter: { limits: [...filterLimits, "logResults"] },
  eth_newBlockFilter: { limits: filterLimits },
  eth_newPendingTransactionFilter: { limits: filterLimits },
  eth_getFilterChanges: reads(unknownFilter),
  eth_getFilterLogs: { errors: [unknownFilter], limits: ["logBlocks", "logResults"] },
  eth_call: runs(unknownBlock, reverted, halted),
  eth_estimateGas: runs(unknownBlock, reverted, halted),
  eth_createAccessList: runs(unknownBlock, halted),
  eth_fillTransaction: runs(reverted, halted),
  eth_simulateV1: runs(unknownBlock, { kind: "server", when: "A block or call cannot be made as it is given." }),
  eth_sendRawTransaction: { effect: "sends", errors: [refused], limits: poolLimits },
  eth_sendRawTransactionSync: {
    effect: "sends",
    errors: [
      refused,
      { kind: "syncTimeout", when: "It was not mined in time; data holds its hash, and it stays in the pool." },
      { kind: "syncNotReady", when: "It waits for an earlier nonce; data holds its hash." },
    ],
    limits: poolLimits,
  },
  eth_sendTransaction: { effect: "signs", errors: [refused, notDeveloped, notAllowed], limits: poolLimits },
  eth_sendUnsignedTransaction: { effect: "signs", errors: [refused, notDeveloped, notAllowed], limits: poolLimits },
  eth_subscribe: { effect: "follows", errors: [needsSocket], limits: ["socketSubscriptions"] },
  eth_unsubscribe: { effect: "follows", errors: [needsSocket] },
  debug_getRawBlock: reads(unknownBlock),
  debug_getRawHeader: reads(unknownBlock),
  debug_getRawReceipts: reads(unknownBlock),
  debug_getRawTransaction: reads(unknownTransaction),
  debug_traceTransaction: runs(unknownTransaction),
  debug_traceBlockByNumber: runs(unknownBlock),
  debug_traceBlockByHash: runs(unknownBlock),
  debug_traceCall: runs(unknownBlock, halted),
  explorer_getTransactionEffects: { effect: "runs", limits: ["callQueue"] },
  explorer_fund: { effect: "signs", errors: [refused, notAllowed] },
};

/** Namespaces of test suites' methods: each of them changes the chain. */
const controlling = /^(evm|anvil|hardhat)_/;

/** Whether a method is there only where the chain may be changed by hand. */
export function isDeveloperMethod(name: string): boolean {
  return controlling.test(name) || name === "eth_sendTransaction" || name === "eth_sendUnsignedTransaction";
}

/** Whether a method changes the chain without a signature of the caller, so that not everybody may call it. */
export function isControlled(name: string): boolean {
  const { effect } = getMethodNote(name);
  return effect === "controls" || effect === "signs";
}

/** What is known of a method besides its declaration; every field is there. */
export function getMethodNote(name: string): Required<MethodNote> {
  if (controlling.test(name)) return { effect: "controls", errors: [notDeveloped, notAllowed], limits: [] };
  const { effect = "reads", errors = [], limits = [] } = notes[name] ?? {};
  return { effect, errors, limits };
}

/** The names in the table, for the test that each is a method. */
export const notedMethods: readonly string[] = Object.keys(notes);

/** The part of a name before its separator: "eth", "rpc". */
export function toNamespace(name: string): string {
  return /^[a-z0-9]+/i.exec(name)?.[0] ?? name;
}
