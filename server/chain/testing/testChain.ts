/**
 * For tests: a complete chain in its own folder, on the SQLite store and the real executor. It uses the default
 * network's genesis. The ten funded accounts can sign.
 */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { hexToBytes, type TransactionSerializable } from "viem";
import { type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts";
import { type Chain, type ChainLimits, createChain } from "@/server/chain/chain";
import { buildGenesis, createGenesis } from "@/server/chain/genesis";
import type { PoolLimits } from "@/server/chain/txpool/state";
import { loadConfig } from "@/server/config/config";
import { listDevAccounts } from "@/server/config/devAccounts";
import { type ChainSpec, toEmbeddedSpec } from "@/server/ethereum/spec";
import type { Address, Genesis, Hash, MinedTransaction } from "@/server/ethereum/types";
import { createExecutor } from "@/server/execution/pool";
import { project } from "@/server/explorer/project";
import { completeReadModel } from "@/server/explorer/readModel";
import type { OnConsole } from "@/server/ports/chain";
import type { Executor } from "@/server/ports/executor";
import type { Store, StoreLocation } from "@/server/ports/store";
import { openOrCreate } from "@/server/storage/open";

export const accounts: PrivateKeyAccount[] = listDevAccounts().map(({ privateKey }) => privateKeyToAccount(privateKey));
export const addresses = accounts.map(({ address }) => address.toLowerCase() as Address);

export const network = loadConfig({}, tmpdir()).networks[0];
export const embeddedSpec = toEmbeddedSpec(network.chainId);

export type TestChain = {
  chain: Chain;
  folder: string;
  /** The errors that were reported during block production. */
  errors: unknown[];
  /** Signs with the funded account at index `account`. The default is an EIP-1559 transaction with generous fees. */
  sign(account: number, transaction: Partial<TransactionSerializable> & { nonce: number }): Promise<Uint8Array>;
  /** Submits a transaction and waits until it is mined. Throws after 20 s. */
  mine(raw: Uint8Array): Promise<MinedTransaction>;
  /** Closes the chain, store and executor, but keeps the folder. */
  close(): Promise<void>;
};

export async function openTestChain(
  options: {
    /** The folder of an earlier chain, to open that chain again. */
    folder?: string;
    /** A database that several chains share, to use instead of the folder. */
    location?: StoreLocation;
    leaseMs?: number;
    isServerless?: boolean;
    /** Whether dev controls are enabled. */
    isDeveloped?: boolean;
    spec?: ChainSpec;
    genesis?: Genesis;
    limits?: Partial<ChainLimits>;
    pool?: Partial<PoolLimits>;
    now?: () => number;
    tipWei?: bigint;
    coinbase?: Address;
    /** An open store to use instead of the folder's. */
    store?: Store;
    onConsole?: OnConsole;
    /** Wraps the executor, for example to make it fail. */
    wrap?: (executor: Executor) => Executor;
  } = {},
): Promise<TestChain> {
  const folder = options.folder ?? mkdtempSync(join(tmpdir(), "tollscan-chain-"));
  const location: StoreLocation = options.location ?? { kind: "sqlite", file: join(folder, "chain.sqlite") };
  const spec = options.spec ?? embeddedSpec;
  const real = createExecutor({ location, callWorkers: 1, callQueue: 100, callTimeMs: 30_000 });
  const executor = options.wrap?.(real) ?? real;
  const genesis = await buildGenesis(executor, spec, options.genesis ?? createGenesis(network, spec));
  const identity = { chainId: spec.chainId, genesisHash: genesis.block.header.hash };
  const store = options.store ?? (await openOrCreate(location, identity));
  const errors: unknown[] = [];
  await completeReadModel({ spec, store, executor, genesis });
  const chain = await createChain({
    name: "test",
    spec,
    store,
    executor,
    genesis,
    project,
    limits: {
      callGas: 50_000_000n,
      responseBytes: 25_000_000,
      poolTransactions: 10_000,
      poolPerSender: 1_000,
      buildTimeMs: 60_000,
      ...options.limits,
    },
    ...(options.pool ? { pool: options.pool } : {}),
    ...(options.now ? { now: options.now } : {}),
    ...(options.tipWei !== undefined && { tipWei: options.tipWei }),
    ...(options.coinbase ? { coinbase: options.coinbase } : {}),
    ...(options.leaseMs !== undefined && { leaseMs: options.leaseMs }),
    isServerless: options.isServerless ?? false,
    ...(options.onConsole && { onConsole: options.onConsole }),
    ...(options.isDeveloped && { onRewind: async () => undefined }),
    onError: (error) => errors.push(error),
  });
  return {
    chain,
    folder,
    errors,
    async sign(account, transaction) {
      const whole = {
        chainId: spec.chainId,
        to: addresses[9],
        gas: 21_000n,
        ...(transaction.type === "legacy" || transaction.type === "eip2930"
          ? { gasPrice: 10n ** 11n }
          : { type: "eip1559", maxFeePerGas: 10n ** 11n, maxPriorityFeePerGas: 10n ** 9n }),
        ...transaction,
      } as TransactionSerializable;
      return hexToBytes(await accounts[account]!.signTransaction(whole));
    },
    async mine(raw) {
      const hash: Hash = await chain.submit(raw);
      const mined = await chain.waitForTransaction(hash, 120_000);
      if (!mined) throw new Error(`${hash} was not mined: ${JSON.stringify(chain.pool.findStatus(hash)?.reason)}`);
      return mined;
    },
    async close() {
      await chain.close();
      await executor.close();
      await store.close();
    },
  };
}

export function removeFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
}
