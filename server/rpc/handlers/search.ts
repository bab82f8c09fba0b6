/**
 * explorer_search: a text is looked up as everything its form allows, and the answer says as what.
 */
import type { RpcResult } from "@/lib/rpc/methods";
import type { Chain } from "@/server/chain/chain";
import { emptyCodeHash } from "@/server/ethereum/codec/hash";
import type { Hash } from "@/server/ethereum/types";
import type { Handler, RpcContext } from "@/server/rpc/context";

type Found = RpcResult<"explorer_search">;
type Item = Found["items"][number];

const nothing: Found = { items: [], lookedUp: [] };

export const explorer_search: Handler<"explorer_search"> = async (context, given) => {
  // Digit groups ("1,234" and "1 234") and a missing 0x are how people paste numbers and hashes.
  const text = given.trim().replace(/^#/, "").toLowerCase();
  const number = text.replace(/(?<=\d)[,_ ](?=\d{3})/g, "");
  if (/^\d{1,15}$/.test(number)) return toBlockNumber(context.chain, Number(number));
  if (/^0x[0-9a-f]{1,12}$/.test(text)) return toBlockNumber(context.chain, Number.parseInt(text, 16));
  const digits = text.replace(/^0x/, "");
  if (/^[0-9a-f]{64}$/.test(digits)) return toHashes(context.chain, `0x${digits}`);
  if (/^[0-9a-f]{40}$/.test(digits)) return toAddress(context, `0x${digits}`);
  return nothing;
};

async function toBlockNumber(chain: Chain, number: number): Promise<Found> {
  const exists = number <= chain.head().number && (await chain.store.findHeader(number));
  const items: Item[] = exists ? [{ kind: "block", id: String(number), label: `Block ${number}` }] : [];
  return { items, lookedUp: ["block number"] };
}

async function toHashes(chain: Chain, hash: Hash): Promise<Found> {
  const items: Item[] = [];
  const waiting = chain.pool.findTransaction(hash);
  const mined = await chain.store.findTransaction(hash);
  if (mined) items.push({ kind: "transaction", id: hash, label: `Transaction in block ${mined.blockNumber}` });
  else if (waiting) items.push({ kind: "pending", id: hash, label: "Transaction waiting in the pool" });
  const number = await chain.store.findBlockNumber(hash);
  if (number !== undefined) items.push({ kind: "block", id: String(number), label: `Block ${number}` });
  return { items, lookedUp: ["transaction hash", "block hash"] };
}

/** Every address can be shown, used or not. */
async function toAddress({ chain, network }: RpcContext, address: `0x${string}`): Promise<Found> {
  const token = network.tokens.find((entry) => entry.address.toLowerCase() === address);
  const account = await chain.store.findAccount(address, chain.head().number);
  const isContract = account !== undefined && account.codeHash !== emptyCodeHash;
  const label = token ? `${token.symbol} token` : isContract ? "Contract" : account ? "Account" : "Unused address";
  return { items: [{ kind: "address", id: address, label }], lookedUp: ["address"] };
}
