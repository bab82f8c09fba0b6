/**
 * Checks the data after several instances have served one chain and ledger: there is one head, every transaction and
 * payment exists exactly once, balances are exact, and executing all blocks again gives the same roots.
 */

import { join } from "node:path";
import type { Hex } from "viem";
import { pause } from "@/lib/pause";
import { importBlocks } from "@/server/chain/import";
import { loadConfig } from "@/server/config/config";
import type { Block } from "@/server/ethereum/types";
import { openChain } from "@/server/node/openChain";
import type { Store } from "@/server/ports/store";
import { askRpc } from "@/server/tools/bench/jsonRpc";
import { assertSame, networkName, readBalance } from "@/server/tools/soak/soakNetwork";

export type Expected = {
  acknowledged: Set<Hex>;
  /** Keyed by payment ID. */
  settled: Map<string, { payer: Hex; units: bigint; transaction: Hex }>;
  payments: number;
  payers: Hex[];
  payee: Hex;
  startingUnits: bigint;
  /** The number of transactions per sender. */
  sent: Map<Hex, number>;
};

type Outcome = {
  store: Store;
  origins: string[];
  networks: string;
  folder: string;
  relayerKey: Hex;
  expected: Expected;
};

const patienceMs = 120_000;
/** Checks the data and returns the number of blocks. Throws if anything disagrees. */
export async function checkInstances(outcome: Outcome): Promise<number> {
  const { store, origins, expected } = outcome;
  const urls = origins.map((origin) => `${origin}/api/rpc/${networkName}`);
  const blocks = await waitForOneHead(store, urls);
  const mined = blocks.flatMap(({ transactions }) => transactions.map(({ hash }) => hash));
  const once = new Set<Hex>(mined);
  assertSame("the chain's transactions and its distinct transactions", mined.length, once.size);
  const lost = [...expected.acknowledged].filter((hash) => !once.has(hash));
  assertSame("acknowledged transactions that are not in the chain", lost.length, 0);
  for (const [sender, count] of expected.sent) {
    assertSame(`the nonce of ${sender}`, (await store.findAccount(sender, blocks.length - 1))?.nonce, BigInt(count));
  }
  await checkPayments(outcome, once, urls);
  await executeAnew(outcome, blocks);
  return blocks.length;
}

/** Waits until nothing is pending and every instance reports the database's head. */
async function waitForOneHead(store: Store, urls: string[]): Promise<Block[]> {
  for (const untilMs = Date.now() + patienceMs; ; await pause(200)) {
    const head = await store.findHead();
    const heads = await Promise.all(
      urls.map(async (url) => {
        const { hash } = (await askRpc(url, "eth_getBlockByNumber", ["latest", false])) as { hash: Hex };
        const { pending, queued } = (await askRpc(url, "txpool_status", [])) as { pending: Hex; queued: Hex };
        return Number(pending) + Number(queued) === 0 ? hash : undefined;
      }),
    );
    if (head && heads.every((hash) => hash === head.hash)) return readBlocks(store, head.number);
    if (Date.now() > untilMs) throw new Error(`The instances do not agree: ${heads.join(", ")}, stored ${head?.hash}.`);
  }
}

async function readBlocks(store: Store, head: number): Promise<Block[]> {
  const blocks: Block[] = [];
  for (let number = 0; number <= head; number++) {
    const block = await store.findBlock(number);
    if (!block) throw new Error(`Block ${number} is missing.`);
    const parent = blocks.at(-1);
    if (parent && block.header.parentHash !== parent.header.hash)
      throw new Error(`Block ${number} does not follow its parent.`);
    blocks.push(block);
  }
  return blocks;
}

async function checkPayments({ store, expected }: Outcome, mined: Set<Hex>, urls: string[]): Promise<void> {
  const { settled, payers, payee, startingUnits } = expected;
  assertSame("the number of payments reported to clients and the number made", settled.size, expected.payments);
  const stuck = (await store.listPaymentsInState("settling")).length;
  assertSame("payments with an unfinished settlement", stuck, 0);
  const ledger = new Map((await store.listPaymentsInState("settled")).map((record) => [record.id as string, record]));
  assertSame("payments in the ledger and payments reported to clients", ledger.size, settled.size);
  const spent = new Map<Hex, bigint>();
  for (const [id, { payer, units, transaction }] of settled) {
    const record = ledger.get(id);
    assertSame(`the transaction of payment ${id}`, record?.transaction, transaction);
    if (!mined.has(transaction)) throw new Error(`The transaction of payment ${id} is not in the chain.`);
    spent.set(payer, (spent.get(payer) ?? 0n) + units);
  }
  const total = [...spent.values()].reduce((sum, units) => sum + units, 0n);
  // Asks every instance rather than the database, because the EVM in each instance must see the same state.
  for (const url of urls) {
    assertSame("the payee's balance and the payments", await readBalance(url, payee), total);
    for (const payer of payers) {
      assertSame(`the balance of ${payer}`, await readBalance(url, payer), startingUnits - (spent.get(payer) ?? 0n));
    }
  }
}

/** Executes every block again on a separate chain, which rejects any block that doesn't match its header. */
async function executeAnew({ networks, folder, relayerKey }: Outcome, blocks: Block[]): Promise<void> {
  const env = {
    TOLLSCAN_NETWORKS: networks,
    TOLLSCAN_DATA: join(folder, "again"),
    FACILITATOR_PRIVATE_KEY: relayerKey,
  };
  const config = loadConfig(env, folder);
  const { chain, close } = await openChain(config, config.networks[0]);
  try {
    assertSame("the first block", chain.genesisHash, blocks[0]!.header.hash);
    await importBlocks(chain, blocks.slice(1));
    assertSame("the state root", chain.head().stateRoot, blocks.at(-1)!.header.stateRoot);
  } finally {
    await close();
  }
}
