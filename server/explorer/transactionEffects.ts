/**
 * A transaction's effects that aren't in its receipt: its calls, the accounts it changed, and the delegations it
 * contains.
 */
import { listInternalTransactions } from "@/lib/decode/internals";
import type { WireCallFrame } from "@/lib/rpc/traceShapes";
import { traceTransactionByHash } from "@/server/chain/traces";
import type { TxPool } from "@/server/chain/txpool/pool";
import { findAuthority } from "@/server/ethereum/codec/transaction";
import type { Address, Authorization, Hash, MinedTransaction } from "@/server/ethereum/types";
import type { CallSource } from "@/server/ports/chain";

/**
 * Above this much cumulative gas, tracing takes tenths of a second, too long just to show a count on a tab. The tab
 * itself still shows the trace.
 */
const countedGas = 3_000_000n;
/** EIP-7702: the code of a delegating account is this prefix followed by the delegate's address. */
const delegation = Uint8Array.of(0xef, 0x01, 0x00);

type Delegation = Pick<Authorization, "chainId" | "address" | "nonce"> & {
  /** undefined if no account can be recovered from the signature. */
  authority: Address | undefined;
  /** The address that the authority delegates to after the block. */
  delegatedTo: Address | undefined;
};

export type TransactionEffects = {
  /** undefined while the transaction is pending. */
  blockNumber: number | undefined;
  /** undefined if the transaction is pending or too expensive to trace. */
  counts: { calls: number; internalTransactions: number; changedAccounts: number } | undefined;
  delegations: Delegation[];
};

export async function findTransactionEffects(
  { calls, pool }: { calls: CallSource; pool: TxPool },
  hash: Hash,
): Promise<TransactionEffects | undefined> {
  const mined = await calls.store.findTransaction(hash);
  const transaction = mined?.transaction ?? pool.findTransaction(hash);
  if (!transaction) return undefined;
  const counts = mined ? await findCounts(calls, mined) : undefined;
  const delegations = (transaction.authorizationList ?? []).map((each) =>
    toDelegation(calls, each, mined?.blockNumber),
  );
  return { blockNumber: mined?.blockNumber, counts, delegations: await Promise.all(delegations) };
}

async function findCounts(source: CallSource, { transaction, receipt }: MinedTransaction) {
  if (receipt.cumulativeGasUsed > countedGas) return undefined;
  const [calls, diff] = await Promise.all([
    traceTransactionByHash(source, transaction.hash, { tracer: "callTracer", onlyTopCall: false, withLog: false }),
    traceTransactionByHash(source, transaction.hash, {
      tracer: "prestateTracer",
      diffMode: true,
      disableCode: false,
      disableStorage: false,
    }),
  ]);
  if (!calls || !diff) return undefined;
  const root = JSON.parse(calls.trace.json) as WireCallFrame;
  return {
    calls: countCalls(root),
    internalTransactions: listInternalTransactions(root).length,
    changedAccounts: countChanged(JSON.parse(diff.trace.json) as StateDiff),
  };
}

/** The result of the prestateTracer with `diffMode`. */
export type StateDiff = { pre?: object; post?: object };

export function countCalls({ calls = [] }: WireCallFrame): number {
  return calls.reduce((sum, call) => sum + countCalls(call), 1);
}

export function countChanged({ pre = {}, post = {} }: StateDiff): number {
  return new Set([...Object.keys(pre), ...Object.keys(post)]).size;
}

async function toDelegation(
  { store }: CallSource,
  authorization: Authorization,
  block: number | undefined,
): Promise<Delegation> {
  const authority = findAuthority(authorization);
  const account = authority && block !== undefined ? await store.findAccount(authority, block) : undefined;
  const code = account && (await store.findCode(account.codeHash));
  const { chainId, address, nonce } = authorization;
  return { chainId, address, nonce, authority, delegatedTo: code && findDelegate(code) };
}

export function findDelegate(code: Uint8Array): Address | undefined {
  if (code.length !== 23 || delegation.some((byte, at) => code[at] !== byte)) return undefined;
  return `0x${Buffer.from(code.subarray(3)).toString("hex")}`;
}
