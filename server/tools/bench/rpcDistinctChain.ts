/**
 * Creates the chain for requests that never repeat: twenty thousand token holders in the genesis, and blocks with a
 * hundred transfers to them. Every node gets the same blocks.
 */
import { type Hex, keccak256, numberToHex, padHex } from "viem";
import { token } from "@/server/tools/bench/exactTerms";
import { askRpcTogether } from "@/server/tools/bench/jsonRpc";
import { signCall, toTransferData } from "@/server/tools/bench/rpcChain";
import type { RpcSide } from "@/server/tools/bench/rpcSides";
import { payers } from "@/server/tools/bench/sides";
import { createRandom } from "@/server/tools/seededRandom";

export type DistinctChain = {
  holders: readonly Hex[];
  /** The blocks that were mined, and the hashes of all their transactions. */
  blocks: readonly { number: number; hash: Hex }[];
  transactions: readonly Hex[];
};

const perBlock = 100;
const seed = 18;

export const holders: readonly Hex[] = Array.from(
  { length: 20_000 },
  (_, index): Hex => `0x${keccak256(numberToHex(index, { size: 32 })).slice(26)}`,
);

/** Returns the token's storage slot that contains a holder's balance. */
export const toBalanceSlot = (holder: Hex): Hex =>
  keccak256(`${padHex(holder, { size: 32 })}${numberToHex(4, { size: 32 }).slice(2)}`);

const random = createRandom(seed);
const pickHolder = () => holders[Math.floor(random() * holders.length)]!;
/** The next nonce, which is the same for every payer. */
let nonce = 0;

/**
 * Signs the next transactions, `each` per payer. One in four transfers the native currency, and the rest transfer the
 * token.
 */
async function signNext(each: number): Promise<Hex[]> {
  const raws: Hex[] = [];
  for (let round = 0; round < each; round++, nonce++) {
    for (const [index, payer] of payers.entries()) {
      const to = pickHolder();
      const call = index % 4 === 0 ? { to, value: 1n } : ({ to: token, data: toTransferData(1n, to) } as const);
      raws.push(await signCall(payer, { ...call, nonce, gas: 100_000n }));
    }
  }
  return raws;
}

/** Signs the transactions for this many blocks. They're signed only once and used for all nodes. */
export async function signBlocks(count: number): Promise<Hex[][]> {
  const blocks: Hex[][] = [];
  while (blocks.length < count) blocks.push(await signNext(perBlock / payers.length));
  return blocks;
}

/** Signs the transactions to send during the measurements. All nodes get the same ones. */
export const signArrivals = (count: number): Promise<Hex[]> => signNext(Math.ceil(count / payers.length));

/** Mines the blocks. Throws if a block doesn't contain all of its transactions. */
export async function mineBlocks({ name, rpc, url }: RpcSide, signed: readonly Hex[][]): Promise<DistinctChain> {
  const blocks: { number: number; hash: Hex }[] = [];
  const transactions: Hex[] = [];
  await rpc("evm_setAutomine", [false]);
  for (const raws of signed) {
    transactions.push(
      ...((await askRpcTogether(
        url,
        raws.map((raw) => ["eth_sendRawTransaction", [raw]]),
      )) as Hex[]),
    );
    await rpc("evm_mine", []);
    const block = (await rpc("eth_getBlockByNumber", ["latest", false])) as {
      number: Hex;
      hash: Hex;
      transactions: Hex[];
    };
    if (block.transactions.length !== raws.length) {
      throw new Error(`${name} mined ${block.transactions.length} of ${raws.length} transactions.`);
    }
    blocks.push({ number: Number(block.number), hash: block.hash });
  }
  await rpc("evm_setAutomine", [true]);
  return { holders, blocks, transactions };
}
