/**
 * explorer_ methods about one transaction.
 */
import type { AuthorizationRow } from "@/lib/rpc/schema/explorerTransaction";
import type { WireCallFrame } from "@/lib/rpc/traceShapes";
import { toQuantity } from "@/lib/units";
import { traceTransactionByHash } from "@/server/chain/calls";
import type { Chain } from "@/server/chain/chain";
import { findAuthority } from "@/server/ethereum/codec/transaction";
import type { Address, Authorization, MinedTransaction } from "@/server/ethereum/types";
import { findByNonce } from "@/server/explorer/nonceSearch";
import type { Handler } from "@/server/rpc/context";

/**
 * A trace runs the block again up to the transaction. More gas than this is some tenths of a second of a worker, which
 * a number beside a tab is not worth; the tab itself still shows it.
 */
const countedGas = 3_000_000n;
/** EIP-7702: the code of an account that delegates is this and the address. */
const delegation = Uint8Array.of(0xef, 0x01, 0x00);

export const explorer_getTransactionByNonce: Handler<"explorer_getTransactionByNonce"> = async (
  { chain },
  sender,
  nonce,
) => {
  const found = await findByNonce(chain, sender, nonce);
  if (!found) return null;
  return { hash: found.hash, blockNumber: found.blockNumber === undefined ? null : toQuantity(found.blockNumber) };
};

export const explorer_getTransactionEffects: Handler<"explorer_getTransactionEffects"> = async ({ chain }, hash) => {
  const mined = await chain.store.findTransaction(hash);
  const transaction = mined?.transaction ?? chain.pool.findTransaction(hash);
  if (!transaction) return null;
  const counts = mined ? await findCounts(chain, mined) : undefined;
  const authorizations = (transaction.authorizationList ?? []).map((each) =>
    toAuthorizationRow(chain, each, mined?.blockNumber),
  );
  return {
    blockNumber: mined ? toQuantity(mined.blockNumber) : null,
    calls: counts ? toQuantity(counts.calls) : null,
    changedAccounts: counts ? toQuantity(counts.changedAccounts) : null,
    authorizations: await Promise.all(authorizations),
  };
};

async function findCounts(chain: Chain, { transaction, receipt }: MinedTransaction) {
  if (receipt.cumulativeGasUsed > countedGas) return undefined;
  const [calls, diff] = await Promise.all([
    traceTransactionByHash(chain, transaction.hash, { tracer: "callTracer", onlyTopCall: false, withLog: false }),
    traceTransactionByHash(chain, transaction.hash, {
      tracer: "prestateTracer",
      diffMode: true,
      disableCode: false,
      disableStorage: false,
    }),
  ]);
  if (!calls || !diff) return undefined;
  const { pre, post } = diff.trace as { pre: object; post: object };
  return {
    calls: countCalls(calls.trace as WireCallFrame),
    changedAccounts: new Set([...Object.keys(pre), ...Object.keys(post)]).size,
  };
}

function countCalls({ calls = [] }: WireCallFrame): number {
  return calls.reduce((sum, call) => sum + countCalls(call), 1);
}

async function toAuthorizationRow(
  { store }: Chain,
  authorization: Authorization,
  block: number | undefined,
): Promise<AuthorizationRow> {
  const authority = findAuthority(authorization);
  const account = authority && block !== undefined ? await store.findAccount(authority, block) : undefined;
  const code = account && (await store.findCode(account.codeHash));
  return {
    authority: authority ?? null,
    chainId: toQuantity(authorization.chainId),
    address: authorization.address,
    nonce: toQuantity(authorization.nonce),
    delegatedTo: (code && findDelegate(code)) ?? null,
  };
}

function findDelegate(code: Uint8Array): Address | undefined {
  if (code.length !== 23 || delegation.some((byte, at) => code[at] !== byte)) return undefined;
  return `0x${Buffer.from(code.subarray(3)).toString("hex")}`;
}
