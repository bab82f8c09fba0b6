/**
 * The account that sends settlements on one network. Nonces are handed out one after another and a signed transaction is
 * given to onSigned before it leaves, so that whatever was sent can be found again; the waiting for blocks overlaps.
 */

import {
  keccak256,
  type LocalAccount,
  parseTransaction,
  recoverTransactionAddress,
  type TransactionSerialized,
} from "viem";
import { createTurns } from "@/lib/createTurns";
import type { Hex } from "@/lib/x402/types";
import type { Allotment, AllotmentStore } from "@/server/ports/store";
import { LostAllotmentError } from "@/server/storage/errors";
import { pause } from "@/server/x402/facilitator/closing";
import { createOwnNonces, createSharedNonces, type Taken } from "@/server/x402/facilitator/nonces";
import { findRpcFailure, isUnknownMethod, NetworkError } from "@/server/x402/reads/jsonRpcError";
import type { Reader, WireReceipt } from "@/server/x402/reads/reader";

export type GasCall = { to: Hex; data: Hex; gas: bigint; value?: bigint };
type SignedTransaction = { hash: Hex; raw: Hex };
/** A transaction that did not leave yet, and by what the database knows whose its nonce is. */
export type NewTransaction = SignedTransaction & { allotment?: Allotment | undefined };

export type TransactionResult =
  | { kind: "mined"; receipt: WireReceipt }
  /** Sent, but in no block within the time: it may still be included. */
  | { kind: "pending" }
  /** The network will never include these bytes; why, in the node's words, is for the operator alone. */
  | { kind: "refused"; words: string };

export type Relayer = {
  address: Hex;
  /**
   * Signs a call with the next nonce and sends it. onSigned is awaited before anything leaves and may be called again
   * with another transaction where somebody else took the nonce; where it throws, nothing was sent.
   */
  send(
    call: GasCall,
    onSigned: (transaction: NewTransaction) => Promise<void>,
    depth?: number,
  ): Promise<{ transaction: SignedTransaction; result: TransactionResult }>;
  /**
   * Sends bytes that were signed before once more, by whatever account, and waits for them: for as many confirmations as
   * count here, or as depth says.
   */
  follow(transaction: SignedTransaction, depth?: number): Promise<TransactionResult>;
  /** Waits until a receipt that was found has the confirmations that count here. */
  confirm(receipt: WireReceipt): Promise<TransactionResult>;
};

export type RelayerOptions = {
  reader: Reader;
  chainId: number;
  account: LocalAccount;
  /** How long a settlement is waited for. */
  waitMs?: number;
  /** Pause between two looks for a receipt, where the network does not push it; longer while the network is silent. */
  pollMs?: number;
  /** Blocks, its own included, after which a transaction counts as mined. */
  confirmations?: number;
  /** Most that is paid per gas; above it nothing is sent. */
  maxFeeWei?: bigint;
  /** Ends all waiting: what was sent is pending then. */
  signal?: AbortSignal;
  /** Where other instances send from the account too; holder names this one. */
  shared?: { store: AllotmentStore; holder: string } | undefined;
};

type Fees =
  | { type: "eip1559"; maxFeePerGas: bigint; maxPriorityFeePerGas: bigint }
  | { type: "legacy"; gasPrice: bigint };

/** A silent network is asked ever less often, down to this. */
const maxPauseMs = 2_000;
/** What is in no block after this many looks is sent once more: a node may have dropped it. */
const looksPerSend = 50;
/** What lacks an earlier nonce after so many tries or looks is not just early. */
const triesPerRepair = 10;
/** Some nodes say with the code of an internal error that a transaction is not one they take. */
const refusalWords = /insufficient funds|intrinsic gas|underpriced|gas limit|pool is full|invalid|not an eoa|exceeds/i;
/** Transactions of one call at most, where others take its nonces. */
const maxAttempts = 5;

type Answer =
  | { kind: "mined"; receipt: WireReceipt }
  | { kind: "accepted" }
  /** Nobody knows whether it arrived. */
  | { kind: "silence" }
  | { kind: "nonceTaken"; words: string }
  | { kind: "nonceGap" }
  | { kind: "refused"; words: string };

/** Builds the relayer of one account on one network. Its methods throw NetworkError. */
export function createRelayer(options: RelayerOptions): Relayer {
  const { reader, chainId, account, waitMs = 30_000, pollMs = 100, confirmations = 1, maxFeeWei, signal } = options;
  const address = account.address.toLowerCase() as Hex;
  const count = async (block: "latest" | "pending") => Number(await ask("eth_getTransactionCount", [address, block]));
  const nonces = options.shared
    ? createSharedNonces({ ...options.shared, account: address, count })
    : createOwnNonces(count);
  const inTurn = createTurns();
  let hasSyncSend = true;

  async function ask(method: string, params: unknown[]): Promise<unknown> {
    try {
      return await reader.request({ method, params });
    } catch (error) {
      throw new NetworkError(`${method} failed.`, { cause: error });
    }
  }

  async function readFees(): Promise<Fees> {
    const block = (await ask("eth_getBlockByNumber", ["latest", false])) as { baseFeePerGas?: Hex } | null;
    if (!block?.baseFeePerGas) {
      const gasPrice = BigInt((await ask("eth_gasPrice", [])) as Hex);
      assertAffordable(gasPrice);
      return { type: "legacy", gasPrice };
    }
    const tip = BigInt((await ask("eth_maxPriorityFeePerGas", [])) as Hex);
    // Twice the base fee leaves room for six full blocks of rise (EIP-1559: an eighth each).
    const wanted = BigInt(block.baseFeePerGas) * 2n + tip;
    assertAffordable(BigInt(block.baseFeePerGas));
    const maxFeePerGas = maxFeeWei !== undefined && wanted > maxFeeWei ? maxFeeWei : wanted;
    return { type: "eip1559", maxFeePerGas, maxPriorityFeePerGas: tip < maxFeePerGas ? tip : maxFeePerGas };
  }

  function assertAffordable(priceWei: bigint): void {
    if (maxFeeWei === undefined || priceWei <= maxFeeWei) return;
    throw new NetworkError(`Gas costs ${priceWei} wei, more than the ${maxFeeWei} that a settlement may pay.`);
  }

  async function sign(call: GasCall, nonce: number, fees: Fees): Promise<SignedTransaction> {
    const raw = await account.signTransaction({ chainId, nonce, value: 0n, ...call, ...fees });
    return { raw, hash: keccak256(raw) };
  }

  async function broadcast(raw: Hex): Promise<Answer> {
    const method = hasSyncSend ? "eth_sendRawTransactionSync" : "eth_sendRawTransaction";
    try {
      const answer = await reader.request({ method, params: [raw] });
      return isReceipt(answer) ? { kind: "mined", receipt: answer } : { kind: "accepted" };
    } catch (error) {
      const failure = findRpcFailure(error);
      // A broken connection says nothing about the transaction: it may have arrived.
      if (!failure) return { kind: "silence" };
      const { code, message } = failure;
      if (isUnknownMethod(failure) && method === "eth_sendRawTransactionSync") {
        hasSyncSend = false;
        return broadcast(raw);
      }
      // EIP-7966: 4 is a timeout with the transaction in the pool, 5 and 6 mean that an earlier nonce is missing.
      if (code === 4 || /already known|already imported|known transaction/i.test(message)) return { kind: "accepted" };
      if (code === 5 || code === 6 || /nonce too high|nonce gap|not ready/i.test(message)) return { kind: "nonceGap" };
      if (/nonce too low|nonce is too low|already been used|replacement transaction/i.test(message)) {
        return { kind: "nonceTaken", words: message };
      }
      // Something broke in the node, perhaps after it had taken the transaction.
      if (code === -32603 && !refusalWords.test(message)) return { kind: "silence" };
      return { kind: "refused", words: message };
    }
  }

  /** Polls until the receipt is there and deep enough, or the time is up. A silent network is waited for. */
  async function waitForReceipt(
    transaction: Pick<SignedTransaction, "hash"> & { raw: Hex | undefined },
    deadlineMs: number,
    isSilent: boolean,
    depth: number,
  ): Promise<TransactionResult> {
    const { hash, raw } = transaction;
    let pauseMs = pollMs;
    for (let silent = isSilent, looks = 1; ; looks++) {
      try {
        const receipt = await reader.findReceipt(hash);
        if (receipt && (await isDeep(receipt, depth))) return { kind: "mined", receipt };
        // A node that was silent may have been started anew, and forgotten what it had not mined.
        if (!receipt && raw && looks % triesPerRepair === 0) await sendMissing(raw);
        if (!receipt && raw && (silent || looks % looksPerSend === 0)) await broadcast(raw);
        silent = false;
        pauseMs = pollMs;
      } catch (error) {
        if (!(error instanceof NetworkError)) throw error;
        silent = true;
        pauseMs = Math.min(pauseMs * 2, maxPauseMs);
      }
      if (Date.now() >= deadlineMs || signal?.aborted) return { kind: "pending" };
      await pause(pauseMs, signal);
    }
  }

  async function isDeep({ blockNumber }: WireReceipt, depth: number): Promise<boolean> {
    if (depth === 1) return true;
    return (await reader.getBlockNumber()) >= BigInt(blockNumber) + BigInt(depth - 1);
  }

  async function submit(
    transaction: SignedTransaction,
    depth: number,
  ): Promise<TransactionResult | { kind: "nonceTaken"; words: string }> {
    const deadlineMs = Date.now() + waitMs;
    let answer = await broadcast(transaction.raw);
    // Transactions that were sent together may arrive out of order.
    for (let tries = 1; answer.kind === "nonceGap" && Date.now() < deadlineMs && !signal?.aborted; tries++) {
      await pause(pollMs, signal);
      // Whose sender died does not arrive at all.
      if (tries % triesPerRepair === 0) await sendMissing(transaction.raw);
      answer = await broadcast(transaction.raw);
    }
    if (answer.kind === "nonceGap") return { kind: "pending" };
    if (answer.kind === "accepted") return waitForReceipt(transaction, deadlineMs, false, depth);
    if (answer.kind === "silence") return waitForReceipt(transaction, deadlineMs, true, depth);
    if (answer.kind === "mined") return confirm(answer.receipt, deadlineMs, depth);
    if (answer.kind !== "nonceTaken") return answer;
    let receipt: WireReceipt | undefined;
    try {
      receipt = await reader.findReceipt(transaction.hash);
    } catch (error) {
      // It was sent, so not knowing is all that can be said.
      if (error instanceof NetworkError) return { kind: "pending" };
      throw error;
    }
    return receipt ? confirm(receipt, deadlineMs, depth) : answer;
  }

  function confirm(receipt: WireReceipt, deadlineMs: number, depth: number): Promise<TransactionResult> {
    if (depth === 1) return Promise.resolve({ kind: "mined", receipt });
    return waitForReceipt({ hash: receipt.transactionHash, raw: undefined }, deadlineMs, false, depth);
  }

  async function sendNext(call: GasCall, onSigned: (transaction: NewTransaction) => Promise<void>, depth: number) {
    const fees = readFees();
    fees.catch(() => undefined);
    const taken = await nonces.take();
    let transaction: NewTransaction;
    try {
      transaction = { ...(await sign(call, taken.nonce, await fees)), allotment: taken.allotment };
      await onSigned(transaction);
      await nonces.keep(taken, transaction);
    } catch (error) {
      // Nothing left with it. Where this fails too its time ends by itself.
      await nonces.abandon(taken).catch(() => undefined);
      throw error;
    }
    const submitted = submit(transaction, depth).finally(() => nonces.end(taken));
    // Awaited outside the turn: until then a failure must not count as unhandled.
    submitted.catch(() => undefined);
    return { transaction, taken, submitted };
  }

  /** A nonce that was handed out in vain: later ones would wait for it forever. */
  async function giveBack(taken: Taken): Promise<void> {
    const open = await nonces.giveBack(taken);
    if (open) await fillNonce(open);
  }

  async function fillNonce(taken: Taken): Promise<void> {
    const filler = await sign({ to: address, data: "0x", gas: 21_000n }, taken.nonce, await readFees());
    await nonces.keep(taken, filler);
    await broadcast(filler.raw);
    nonces.end(taken);
  }

  /** Sends what a transaction waits for and whoever was to send it did not. */
  async function sendMissing(raw: Hex): Promise<void> {
    // Another account's nonces, a payer's perhaps, say nothing of ours.
    const sender = await recoverTransactionAddress({ serializedTransaction: raw as TransactionSerialized });
    if (sender.toLowerCase() !== address) return;
    const { nonce = 0 } = parseTransaction(raw);
    const { raws, free } = await nonces.findMissing(nonce);
    if (free) await fillNonce(free);
    for (const missing of raws)
      await reader.request({ method: "eth_sendRawTransaction", params: [missing] }).catch(() => undefined);
  }

  return {
    address,
    async send(call, onSigned, depth = confirmations) {
      for (let attempt = 1; ; attempt++) {
        const sent = await inTurn(() => sendNext(call, onSigned, depth)).catch((error) => {
          if (error instanceof LostAllotmentError && attempt < maxAttempts) return undefined;
          throw error;
        });
        if (!sent) continue;
        const { transaction, taken, submitted } = sent;
        const result = await submitted;
        if (result.kind === "refused") await inTurn(() => giveBack(taken));
        if (result.kind !== "nonceTaken") return { transaction, result };
        if (attempt === maxAttempts) return { transaction, result: { ...result, kind: "refused" } };
      }
    },
    async follow(transaction, depth = confirmations) {
      const result = await submit(transaction, depth);
      return result.kind === "nonceTaken" ? { ...result, kind: "refused" } : result;
    },
    confirm: (receipt) => confirm(receipt, Date.now() + waitMs, confirmations),
  };
}

function isReceipt(answer: unknown): answer is WireReceipt {
  return typeof answer === "object" && answer !== null && "transactionHash" in answer && "logs" in answer;
}
