/**
 * Runs a complete node with one network for tests: SQLite in a temporary folder, worker threads, chain and dispatcher.
 * Only tests move the clock, so the same transactions always give the same block hashes.
 */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { listNetworkNames } from "@/lib/networkNames";
import { createRpcHandler } from "@/server/api/jsonRpc";
import { type Chain, createChain } from "@/server/chain/chain";
import { buildGenesis, createGenesis } from "@/server/chain/genesis";
import { type Limits, loadConfig } from "@/server/config/config";
import type { NetworkConfig } from "@/server/config/networkConfig";
import { type ChainSpec, toEmbeddedSpec } from "@/server/ethereum/spec";
import type { Genesis, Hash } from "@/server/ethereum/types";
import { createExecutor } from "@/server/execution/pool";
import { project } from "@/server/explorer/project";
import { completeReadModel } from "@/server/explorer/readModel";
import type { HttpHandler } from "@/server/http/types";
import type { Eip1193Request } from "@/server/ports/eip1193";
import type { StoreLocation } from "@/server/ports/store";
import { createDispatcher, type Dispatcher } from "@/server/rpc/dispatch";
import { createEmbeddedNetwork } from "@/server/rpc/embeddedNetwork";
import { createFaucet } from "@/server/rpc/faucet";
import { openOrCreate } from "@/server/storage/open";
import { forgetSettlements } from "@/server/x402/facilitator/ledgerRewind";

export type TestNode = {
  network: NetworkConfig;
  chain: Chain;
  dispatcher: Dispatcher;
  request: Eip1193Request;
  handler: HttpHandler;
  /**
   * Handles a body as an HTTP request would be handled, and parses the response. Returns undefined if there is no
   * response.
   */
  post(body: string): Promise<unknown>;
  /** Advances the clock. */
  tick(seconds: number): void;
  close(): Promise<void>;
};

function fail(error: unknown): never {
  throw error;
}

/**
 * Creates a node for tests. The options can replace the default network's configuration, limits, first block or
 * database, and can allow developer methods.
 */
export async function createTestNode(
  options: {
    limits?: Partial<Limits>;
    chain?: { spec: ChainSpec; genesis: Genesis };
    location?: StoreLocation;
    isDeveloped?: boolean;
    accounts?: NetworkConfig["accounts"];
    areScriptsAllowed?: boolean;
    profile?: NetworkConfig["profile"];
    /** Called with failures that block production recovers from. By default, they fail the test. */
    onError?: (error: unknown) => void;
  } = {},
): Promise<TestNode> {
  const dataDir = mkdtempSync(join(tmpdir(), "tollscan-rpc-"));
  const config = loadConfig({ TOLLSCAN_DATA: dataDir }, dataDir);
  const limits = { ...config.limits, ...options.limits };
  const spec = options.chain?.spec ?? toEmbeddedSpec(config.networks[0].chainId);
  const network = {
    ...config.networks[0],
    // Includes only the first token, so that adding a token to the default network doesn't change recorded hashes.
    tokens: config.networks[0].tokens.slice(0, 1),
    chainId: spec.chainId,
    embedded: !options.chain,
    ...(options.profile && { profile: options.profile }),
    ...(options.accounts && { accounts: options.accounts }),
  };
  const location = options.location ?? { kind: "sqlite" as const, file: join(dataDir, "chain.sqlite") };
  const { callWorkers, callQueue, callTimeMs } = limits;
  const executor = createExecutor({ location, callWorkers, callQueue, callTimeMs });
  const genesis = await buildGenesis(executor, spec, options.chain?.genesis ?? createGenesis(network, spec));
  const { hash: genesisHash, timestamp } = genesis.block.header;
  const store = await openOrCreate(location, { chainId: spec.chainId, genesisHash });
  let nowMs = (timestamp + 1) * 1000;
  await completeReadModel({ spec, store, executor, genesis });
  const chain = await createChain({
    name: network.name,
    spec,
    store,
    executor,
    genesis,
    project,
    limits,
    ...(options.isDeveloped && { onRewind: (settlements: Hash[]) => forgetSettlements(store, settlements) }),
    now: () => nowMs,
    onError: options.onError ?? fail,
  });
  const { fund } = createFaucet(chain, network, () => nowMs);
  const dispatcher = createDispatcher(
    createEmbeddedNetwork({
      network,
      chain,
      limits,
      faucet: fund,
      async refund(payment) {
        if (await store.findPayment(payment)) throw new Error("A test node has no facilitator to refund a payment.");
        return undefined;
      },
      areScriptsAllowed: options.areScriptsAllowed ?? true,
      names: () => listNetworkNames(network),
      resources: () => [{ title: "Block digest", resource: "/api/paid/block-digest?network=test" }],
    }),
  );
  return {
    network,
    chain,
    dispatcher,
    request: dispatcher.request,
    handler: createRpcHandler(dispatcher, limits),
    async post(body) {
      const answer = await dispatcher.dispatch(Buffer.from(body), { address: "192.0.2.1", mayControl: true });
      return answer === undefined ? undefined : JSON.parse(answer);
    },
    tick(seconds) {
      nowMs += seconds * 1000;
    },
    async close() {
      dispatcher.close();
      await chain.close();
      await store.close();
      await executor.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
