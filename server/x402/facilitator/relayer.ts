/**
 * The account that sends settlements on one network. Nonces are assigned one at a time, and a signed transaction is
 * passed to onSigned before it is sent, so that every sent transaction can be found again. Waiting for blocks overlaps.
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
/** A transaction that has not been sent yet; the allotment tells the database who owns its nonce. */
export type NewTransaction = SignedTransaction & { allotment?: Allotment | undefined };

export type TransactionResult =
  | { kind: "mined"; receipt: WireReceipt }
  /** Sent, but not in a block within the time; it may still be included. */
  | { kind: "pending" }
  /** The network will never include these bytes; the node's explanation is for the operator only. */
  | { kind: "refused"; words: string };

export type Relayer = {
  address: Hex;
  /**
   * Signs a call with the next nonce and sends it. onSigned is awaited before anything is sent, and may be called again
   * with another transaction if the nonce was taken by another sender; if it throws, nothing was sent.
   */
  send(
    call: GasCall,
    onSigned: (transaction: NewTransaction) => Promise<void>,
    depth?: number,
  ): Promise<{ transaction: SignedTransaction; result: TransactionResult }>;
  /**
   * Sends signed bytes again, whichever account signed them, and waits for depth confirmations, or the default number.
   */
  follow(transaction: SignedTransaction, depth?: number): Promise<TransactionResult>;
  /** Waits until a receipt has the required confirmations. */
  confirm(receipt: WireReceipt): Promise<TransactionResult>;
};

export type RelayerOptions = {
  reader: Reader;
  chainId: number;
  account: LocalAccount;
  /** How long to wait for a settlement. */
  waitMs?: number;
  /** Pause between two checks for a receipt if the network does not push it; longer while the network is silent. */
  pollMs?: number;
  /** Number of blocks, including its own, after which a transaction counts as mined. */
  confirmations?: number;
  /** Maximum price per gas; above it nothing is sent. */
  maxFeeWei?: bigint;
  /** Ends all waiting; sent transactions are then reported as pending. */
  signal?: AbortSignal;
  /** Set if other instances send from the account too; holder identifies this one. */
  shared?: { store: AllotmentStore; holder: string } | undefined;
};

type Fees =
  | { type: "eip1559"; maxFeePerGas: bigint; maxPriorityFeePerGas: bigint }
  | { type: "legacy"; gasPrice: bigint };

/** Maximum pause between requests to a silent network, which is asked less and less often. */
const maxPauseMs = 2_000;
/** A transaction that is in no block after this many checks is sent again, because a node may have dropped it. */
const looksPerSend = 50;
/** After this many tries or checks, a missing earlier nonce is treated as a gap, not as a late arrival. */
const triesPerRepair = 10;
/** Some nodes report a rejected transaction with the code of an internal error. */
const refusalWords = /insufficient funds|intrinsic gas|underpriced|gas limit|pool is full|invalid|not an eoa|exceeds/i;
/** Maximum number of transactions for one call, if others take its nonces. */
const maxAttempts = 5;

type Answer =
  | { kind: "mined"; receipt: WireReceipt }
  | { kind: "accepted" }
  /** It is unknown whether the transaction arrived. */
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
    // Twice the base fee leaves room for six full blocks in a row (EIP-1559: an eighth each).
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
      // A broken connection proves nothing about the transaction; it may have arrived.
      if (!failure) return { kind: "silence" };
      const { code, message } = failure;
      if (isUnknownMethod(failure) && method === "eth_sendRawTransactionSync") {
        hasSyncSend = false;
        return broadcast(raw);
      }
      // EIP-7966: 4 is a timeout with the transaction in the pool; 5 and 6 mean that an earlier nonce is missing.
      if (code === 4 || /already known|already imported|known transaction/i.test(message)) return { kind: "accepted" };
      if (code === 5 || code === 6 || /nonce too high|nonce gap|not ready/i.test(message)) return { kind: "nonceGap" };
      if (/nonce too low|nonce is too low|already been used|replacement transaction/i.test(message)) {
        return { kind: "nonceTaken", words: message };
      }
      // Something failed in the node, possibly after it had accepted the transaction.
      if (code === -32603 && !refusalWords.test(message)) return { kind: "silence" };
      return { kind: "refused", words: message };
    }
  }

  /** Polls until the receipt is there and deep enough, or the time is up. Keeps waiting while the network is silent. */
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
        // A silent node may have restarted and lost its unmined transactions.
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
    // Transactions sent at the same time may arrive out of order.
    for (let tries = 1; answer.kind === "nonceGap" && Date.now() < deadlineMs && !signal?.aborted; tries++) {
      await pause(pollMs, signal);
      // If its sender crashed, the earlier transaction never arrives on its own.
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
      // It was sent, so the outcome is unknown.
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
      // Nothing was sent with this nonce. If abandoning it fails too, its reservation expires.
      await nonces.abandon(taken).catch(() => undefined);
      throw error;
    }
    const submitted = submit(transaction, depth).finally(() => nonces.end(taken));
    // It is awaited after the turn ends; until then a failure must not count as an unhandled rejection.
    submitted.catch(() => undefined);
    return { transaction, taken, submitted };
  }

  /** Returns a nonce that was not used; otherwise later ones would wait for it forever. */
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

  /** Sends the earlier transactions that this one waits for, if their own senders did not. */
  async function sendMissing(raw: Hex): Promise<void> {
    // Nonces of other accounts, such as a payer's, do not affect ours.
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
