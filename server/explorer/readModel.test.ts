/** Tests the read model of a real chain: extending it block by block gives the same result as a full rebuild. */
import { join } from "node:path";
import { encodeFunctionData, type Hex } from "viem";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { tokenAbi } from "@/lib/abi/token";
import { buildGenesis, createGenesis } from "@/server/chain/genesis";
import { addresses, embeddedSpec, network, openTestChain, type TestChain } from "@/server/chain/testing/testChain";
import type { Address } from "@/server/ethereum/types";
import { completeReadModel, type ReadModelSource, rebuildReadModel } from "@/server/explorer/readModel";
import { sampleInitCode } from "@/server/rpc/testing/sampleContract";
import { readModelTables } from "@/server/storage/schema";
import { openSqlite } from "@/server/storage/sqlite/driver";

/** Sends the call's value to the address in the input's first word, then creates an empty contract. */
const forwarder: Hex = "0x60108060095f395ff35f5f5f5f345f355af1505f5f5ff05000";
/** Self-destructs in favor of the address in the input's first word. */
const destructible: Hex = "0x625f35ff5f526003601df3";
const word = (address: Address): Hex => `0x${address.slice(2).padStart(64, "0")}`;

let test: TestChain;
let source: ReadModelSource;
let forwarderAddress: Address;
let reverting: Address;
let destroyed: Address;
const [sender, receiver] = addresses as [Address, Address];
const token = network.tokens[0]!.address.toLowerCase() as Address;

beforeAll(async () => {
  test = await openTestChain();
  const { chain } = test;
  const genesis = await buildGenesis(chain.executor, embeddedSpec, createGenesis(network, embeddedSpec));
  source = { spec: chain.spec, store: chain.store, executor: chain.executor, genesis };
  let nonce = 0;
  const mine = async (transaction: { to?: Address; data?: Hex; value?: bigint; gas?: bigint }) =>
    test.mine(await test.sign(0, { gas: 500_000n, to: undefined, ...transaction, nonce: nonce++ }));
  forwarderAddress = (await mine({ data: forwarder })).receipt.contractAddress!;
  reverting = (await mine({ data: sampleInitCode })).receipt.contractAddress!;
  await mine({ to: forwarderAddress, data: word(receiver), value: 5n });
  await mine({ to: forwarderAddress, data: word(reverting), value: 6n });
  await mine({ to: forwarderAddress, data: word(receiver), value: 7n, gas: 30_000n });
  await mine({
    to: token,
    data: encodeFunctionData({ abi: tokenAbi, functionName: "transfer", args: [receiver, 9n] }),
  });
  await mine({ to: receiver, value: 1n });
  destroyed = (await mine({ data: destructible })).receipt.contractAddress!;
  await mine({ to: destroyed, data: word(receiver), value: 11n });
  // Two self-destructs that transfer no value: in the first one, the contract itself is the beneficiary; in the second
  // one, the contract's balance is zero.
  await mine({ to: destroyed, data: word(destroyed), value: 12n });
  await mine({ to: destroyed, data: word(receiver), gas: 26_000n });
});
afterAll(() => test?.close());

async function readTables(): Promise<Record<string, unknown[]>> {
  const sql = openSqlite(join(test.folder, "chain.sqlite"), { readonly: true });
  const tables: Record<string, unknown[]> = {};
  for (const name of readModelTables) tables[name] = await sql.all(`select * from ${name} order by 1, 2`, []);
  await sql.close();
  return tables;
}

describe("the read model", () => {
  it("lists internal transfers, but not reverted ones", async () => {
    const { store } = test.chain;
    const found = await store.listInternalTransfers(forwarderAddress, { limit: 9 });
    expect(found.map(({ kind, value, to }) => [kind, value, to === receiver])).toEqual([
      ["create", 0n, false],
      ["create", 0n, false],
      ["call", 5n, true],
    ]);
    const created = found[0]!.to;
    expect((await store.findAddressTransaction(created, "created"))?.transaction.to).toBe(forwarderAddress);
    const rows = await store.listAddressTransactions(receiver, { limit: 9, direction: "internal" });
    expect(rows.at(-1)?.transaction.value).toBe(5n);
    expect((await store.listAddressTransactions(reverting, { limit: 9 })).map(({ direction }) => direction)).toEqual([
      "created",
    ]);
  });

  it("lists the balance that a self-destructed contract sent", async () => {
    const { store } = test.chain;
    const found = await store.listInternalTransfers(destroyed, { limit: 9 });
    expect(found).toMatchObject([{ kind: "selfdestruct", from: destroyed, to: receiver, value: 11n }]);
    const [row] = await store.listAddressTransactions(receiver, { limit: 1, direction: "internal" });
    expect(row?.transaction.value).toBe(11n);
  });

  it("includes token balances from genesis", async () => {
    const { store } = test.chain;
    const balances = Object.fromEntries(
      (await store.listHolders(token, { limit: 100 })).map(({ address, units }) => [address, units]),
    );
    const given = network.funded[0]!.tokenUnits;
    expect(balances[sender]).toBe(given - 9n);
    expect(balances[receiver]).toBe(given + 9n);
    expect(await store.findTokenFigures(token)).toEqual({ holders: network.funded.length, transfers: 1 });
  });

  it("has identical rows after a rebuild", async () => {
    const kept = await readTables();
    expect(kept.internal_transfer).toHaveLength(4);
    const blocks: number[] = [];
    expect(await rebuildReadModel(source, (block) => blocks.push(block))).toBe(12);
    expect(blocks).toEqual(Array.from({ length: 12 }, (_, number) => number));
    expect(await readTables()).toEqual(kept);
    expect(await completeReadModel(source)).toBe(0);
  });
});
