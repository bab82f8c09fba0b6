/**
 * Sends settlements from one account on one network. A signed transaction is passed to `onSigned` before it is sent, so
 * that it can be found again after a crash. Several transactions may be in flight at the same time.
 */
import { type LocalAccount, parseTransaction, recoverTransactionAddress, type TransactionSerialized } from "viem";
import { createTurns } from "@/lib/createTurns";
import { hasErrorCode } from "@/lib/hasErrorCode";
import type { Hex } from "@/lib/x402/types";
import { toBytes } from "@/server/ethereum/codec/bytes";
import { keccakHex } from "@/server/ethereum/codec/hash";
import type { Allotment, AllotmentStore } from "@/server/ports/store";
import { broadcast } from "@/server/x402/facilitator/broadcast";
import { pause } from "@/server/x402/facilitator/closing";
import { createOwnNonces, createSharedNonces, type Nonces, type Taken } from "@/server/x402/facilitator/nonces";
import { isNetworkError, NetworkError } from "@/server/x402/reads/jsonRpcError";
import type { Fees, Reader, WireReceipt } from "@/server/x402/reads/reader";

export type GasCall = { to: Hex; data: Hex; gas: bigint; value?: bigint };
type SignedTransaction = { hash: Hex; raw: Hex };
/** A signed transaction that hasn't been sent yet. `allotment` tells the database which instance owns its nonce. */
export type NewTransaction = SignedTransaction & { allotment?: Allotment | undefined };
type OnSigned = (transaction: NewTransaction) => Promise<void>;

export type TransactionResult =
  | { kind: "mined"; receipt: WireReceipt }
  /** Sent, but not included in time. It may still be included. */
  | { kind: "pending" }
  /**
   * The network will never include this transaction. `words` is the node's explanation, which only the operator sees.
   */
  | { kind: "refused"; words: string };
type SubmitResult = TransactionResult | { kind: "nonceTaken"; words: string };

export type Relayer = {
  reader: Reader;
  chainId: number;
  account: LocalAccount;
  address: Hex;
  /** How long to wait until a settlement's transaction is confirmed. */
  waitMs: number;
  /**
   * Pause between receipt checks if the network doesn't push receipts. Pauses are longer while the network doesn't
   * respond.
   */
  pollMs: number;
  /** How many blocks confirm a transaction, including its own block. */
  confirmations: number;
  /** Maximum gas price. If the price is higher, nothing is sent. */
  maxFeeWei?: bigint | undefined;
  /** Aborting this signal ends all waits. Transactions in flight are then reported as pending. */
  signal?: AbortSignal;
  nonces: Nonces;
  inTurn: ReturnType<typeof createTurns>;
  /** False once the network has reported that it doesn't support eth_sendRawTransactionSync. */
  hasSyncSend: boolean;
};

export type RelayerOptions = Pick<Relayer, "reader" | "chainId" | "account"> &
  Partial<Pick<Relayer, "waitMs" | "pollMs" | "confirmations" | "maxFeeWei" | "signal">> & {
    /** Set if other instances also send from the account. `holder` identifies this instance. */
    shared?: { store: AllotmentStore; holder: string } | undefined;
  };

/** The longest pause between requests to a network that doesn't respond. */
const maxPauseMs = 2_000;
/** If a transaction isn't in a block after this many checks, it is resent, because a node may have dropped it. */
const looksPerSend = 50;
/**
 * The number of tries or checks between repairs of missing earlier nonces. Repairs aren't more frequent, because the
 * transactions with those nonces may just be late.
 */
const triesPerRepair = 10;
/** If this many repairs in a row find the same gap, the network is assumed to have been rewound. */
const repeatsPerRewind = 2;
/**
 * If other senders keep taking a call's nonce, the call is signed again with a new nonce, up to this many times in
 * total.
 */
const maxAttempts = 5;

/** The functions below throw NetworkError. */
export function createRelayer({ account, shared, ...options }: RelayerOptions): Relayer {
  const address = account.address.toLowerCase() as Hex;
  const count = async (block: "latest" | "pending") => Number(await options.reader.getTransactionCount(address, block));
  return {
    waitMs: 30_000,
    pollMs: 100,
    confirmations: 1,
    ...options,
    account,
    address,
    nonces: shared ? createSharedNonces({ ...shared, account: address, count }) : createOwnNonces(count),
    inTurn: createTurns(),
    hasSyncSend: true,
  };
}

/**
 * Signs a call with the next nonce and sends it. `onSigned` is awaited before anything is sent; if it throws, nothing
 * is sent. If another sender takes the nonce, `onSigned` is called again with a new transaction.
 */
export async function sendCall(
  relayer: Relayer,
  call: GasCall,
  onSigned: OnSigned,
  depth = relayer.confirmations,
): Promise<{ transaction: SignedTransaction; result: TransactionResult }> {
  for (let attempt = 1; ; attempt++) {
    const sent = await relayer
      .inTurn(() => sendNext(relayer, call, onSigned, depth))
      .catch((error) => {
        if (hasErrorCode(error, "LOST_ALLOTMENT") && attempt < maxAttempts) return undefined;
        throw error;
      });
    if (!sent) continue;
    const { transaction, taken, submitted } = sent;
    const result = await submitted;
    if (result.kind === "refused") await relayer.inTurn(() => giveBack(relayer, taken));
    if (result.kind !== "nonceTaken" || attempt === maxAttempts) return { transaction, result: toFinal(result) };
  }
}

/** Sends already signed bytes again, whichever account signed them, and waits for `depth` confirmations. */
export async function sendAgain(
  relayer: Relayer,
  transaction: SignedTransaction,
  depth = relayer.confirmations,
): Promise<TransactionResult> {
  return toFinal(await submit(relayer, transaction, depth));
}

/** Waits until a receipt has the required confirmations. */
export function confirmReceipt(
  relayer: Relayer,
  receipt: WireReceipt,
  depth = relayer.confirmations,
  deadlineMs = Date.now() + relayer.waitMs,
): Promise<TransactionResult> {
  if (depth === 1) return Promise.resolve({ kind: "mined", receipt });
  return waitForReceipt(relayer, { hash: receipt.transactionHash }, { depth, deadlineMs }).then(toFinal);
}

const toFinal = (result: SubmitResult): TransactionResult =>
  result.kind === "nonceTaken" ? { ...result, kind: "refused" } : result;

async function sendNext(relayer: Relayer, call: GasCall, onSigned: OnSigned, depth: number) {
  const { nonces } = relayer;
  const fees = readFees(relayer);
  fees.catch(() => undefined);
  const taken = await nonces.take();
  let transaction: NewTransaction;
  try {
    transaction = { ...(await sign(relayer, call, taken.nonce, await fees)), allotment: taken.allotment };
    await onSigned(transaction);
    await nonces.keep(taken, transaction);
  } catch (error) {
    // If the nonce can't be given back, its reservation expires.
    await nonces.abandon(taken).catch(() => undefined);
    throw error;
  }
  let isMined = false;
  const submitted = submit(relayer, transaction, depth)
    .then((result) => {
      isMined = result.kind === "mined";
      return result;
    })
    .finally(() => nonces.end(taken, isMined));
  // This promise is awaited later. Until then, a failure must not count as an unhandled rejection.
  submitted.catch(() => undefined);
  return { transaction, taken, submitted };
}

/**
 * Returns the fees for a transaction that is sent right away. Throws NetworkError if the base fee exceeds `maxFeeWei`.
 */
export async function readFees({ reader, maxFeeWei }: Pick<Relayer, "reader" | "maxFeeWei">): Promise<Fees> {
  const { baseFeeWei, tipWei } = await reader.getFees();
  if (maxFeeWei !== undefined && baseFeeWei > maxFeeWei) {
    throw new NetworkError(`The base fee is ${baseFeeWei} wei per gas; settlements pay at most ${maxFeeWei}.`);
  }
  if (tipWei === undefined) return { gasPrice: baseFeeWei };
  // A full block raises the base fee by an eighth (EIP-1559), so twice the current fee is enough for five full blocks
  // in a row.
  const wanted = baseFeeWei * 2n + tipWei;
  const maxFeePerGas = maxFeeWei !== undefined && wanted > maxFeeWei ? maxFeeWei : wanted;
  return { maxFeePerGas, maxPriorityFeePerGas: tipWei < maxFeePerGas ? tipWei : maxFeePerGas };
}

async function sign({ account, chainId }: Relayer, call: GasCall, nonce: number, fees: Fees) {
  const raw = await account.signTransaction({ chainId, nonce, value: 0n, ...call, ...fees });
  return { raw, hash: keccakHex(toBytes(raw)) };
}

async function submit(relayer: Relayer, transaction: SignedTransaction, depth: number): Promise<SubmitResult> {
  const { signal, waitMs, pollMs } = relayer;
  const deadlineMs = Date.now() + waitMs;
  let answer = await broadcast(relayer, transaction.raw);
  const isRewound = createRewindCheck(relayer, transaction.raw);
  // Transactions that are sent at the same time may arrive out of order.
  for (let tries = 1; answer.kind === "nonceGap" && Date.now() < deadlineMs && !signal?.aborted; tries++) {
    await pause(pollMs, signal);
    // The check below also resends earlier transactions whose signing process crashed, because nobody else does.
    if (tries % triesPerRepair === 0 && (await isRewound())) return rewound;
    answer = await broadcast(relayer, transaction.raw);
  }
  switch (answer.kind) {
    case "nonceGap":
      return { kind: "pending" };
    case "accepted":
    case "silence":
      return waitForReceipt(relayer, transaction, { depth, deadlineMs, isSilent: answer.kind === "silence" });
    case "mined":
      return confirmReceipt(relayer, answer.receipt, depth, deadlineMs);
    case "refused":
      return answer;
    case "nonceTaken":
      try {
        const receipt = await relayer.reader.findReceipt(transaction.hash);
        return receipt ? await confirmReceipt(relayer, receipt, depth, deadlineMs) : answer;
      } catch (error) {
        // The transaction was sent, but whether it was included is unknown.
        if (isNetworkError(error)) return { kind: "pending" };
        throw error;
      }
  }
}

/**
 * Polls until the receipt exists and has enough confirmations, or time runs out. Network failures don't end the
 * polling. If `raw` is given and the transaction seems lost, sends it again.
 */
async function waitForReceipt(
  relayer: Relayer,
  { hash, raw }: { hash: Hex; raw?: Hex },
  { depth, deadlineMs, isSilent = false }: { depth: number; deadlineMs: number; isSilent?: boolean },
): Promise<SubmitResult> {
  const { reader, pollMs, signal } = relayer;
  const isRewound = raw && createRewindCheck(relayer, raw);
  let pauseMs = pollMs;
  for (let silent = isSilent, looks = 1; ; looks++) {
    try {
      const receipt = await reader.findReceipt(hash);
      if (receipt && (await isDeep(reader, receipt, depth))) return { kind: "mined", receipt };
      // The node may have restarted and lost earlier transactions that weren't mined yet.
      if (!receipt && isRewound && looks % triesPerRepair === 0 && (await isRewound())) return rewound;
      if (!receipt && raw && (silent || looks % looksPerSend === 0)) await broadcast(relayer, raw);
      silent = false;
      pauseMs = pollMs;
    } catch (error) {
      if (!isNetworkError(error)) throw error;
      silent = true;
      pauseMs = Math.min(pauseMs * 2, maxPauseMs);
    }
    if (Date.now() >= deadlineMs || signal?.aborted) return { kind: "pending" };
    await pause(pauseMs, signal);
  }
}

async function isDeep(reader: Reader, { blockNumber }: WireReceipt, depth: number): Promise<boolean> {
  return depth === 1 || (await reader.getBlockNumber()) >= BigInt(blockNumber) + BigInt(depth - 1);
}

/** Gives back an unused nonce. Otherwise, transactions with later nonces would wait for it forever. */
async function giveBack(relayer: Relayer, taken: Taken): Promise<void> {
  const open = await relayer.nonces.giveBack(taken);
  if (open) await fillNonce(relayer, open);
}

async function fillNonce(relayer: Relayer, taken: Taken): Promise<void> {
  const { address, nonces } = relayer;
  const call = { to: address, data: "0x", gas: 21_000n } as const;
  const filler = await sign(relayer, call, taken.nonce, await readFees(relayer));
  await nonces.keep(taken, filler);
  await broadcast(relayer, filler.raw);
  nonces.end(taken, false);
}

const rewound: SubmitResult = { kind: "nonceTaken", words: "the network was rewound below the nonce" };

/**
 * Creates a function that resends earlier transactions that block this one. The function resolves to true if a gap
 * remains because the network was rewound. In that case, no transaction in flight can be included soon.
 */
function createRewindCheck(relayer: Relayer, raw: Hex): () => Promise<boolean> {
  let gap: number | undefined;
  let repeats = 0;
  return async () => {
    const found = await sendMissing(relayer, raw);
    repeats = found !== undefined && found === gap ? repeats + 1 : 0;
    gap = found;
    // A node behind a load balancer may report an outdated transaction count for a while.
    if (repeats < repeatsPerRewind) return false;
    relayer.nonces.startOver();
    return true;
  };
}

/**
 * Sends earlier transactions that block this one, in case the processes that signed them crashed. Returns the nonce of
 * a gap that can't be filled this way.
 */
async function sendMissing(relayer: Relayer, raw: Hex): Promise<number | undefined> {
  // The transaction may be from another account, such as a payer. That account's nonces aren't ours to repair.
  const sender = await recoverTransactionAddress({ serializedTransaction: raw as TransactionSerialized });
  if (sender.toLowerCase() !== relayer.address) return undefined;
  const { nonce = 0 } = parseTransaction(raw);
  const { raws, free, gap } = await relayer.nonces.findMissing(nonce);
  if (free) await fillNonce(relayer, free);
  for (const missing of raws) {
    await relayer.reader.request({ method: "eth_sendRawTransaction", params: [missing] }).catch(() => undefined);
  }
  return gap;
}
