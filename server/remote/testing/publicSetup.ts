/**
 * The setup for tests of a remote network: anvil with the token and payment contracts, a payer, a relayer with its own
 * key, and the environment for the node under test. Only the remote node is simulated. A test can make the proxy
 * in front of anvil stop responding.
 */
import { writeFileSync } from "node:fs";
import { request as askHttp, createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { isPayable, type PayableNetwork } from "@/lib/networks";
import type { PaymentRequirements } from "@/lib/x402/types";
import { type Config, loadConfig } from "@/server/config/config";
import { toTokenAccount } from "@/server/contracts/predeploys";
import { placePredeploys } from "@/server/contracts/testing/placePredeploys";
import { type AnvilNode, startAnvilNode } from "@/server/remote/testing/anvilNode";
import { toExactRequirement } from "@/server/x402/resource-server/requirements";

const token = "0x00000000000000000000000000000000000000a1";
const payee = "0x00000000000000000000000000000000000000b2";

export type PublicSetup = Awaited<ReturnType<typeof startPublicSetup>>;

/** Starts anvil as the first network in the configuration. anvil keeps its state in the folder. */
export async function startPublicSetup(folder: string) {
  const anvil = await startAnvilNode({ chainId: 4242, folder });
  const payer = privateKeyToAccount(generatePrivateKey());
  const relayerKey = generatePrivateKey();
  const relayer = privateKeyToAccount(relayerKey);
  const balances = [{ address: payer.address, units: 1_000_000n }];
  const genesis = { name: "USDC", symbol: "USDC", decimals: 6, version: "2", eip3009: true, owner: payee, balances };
  await anvil.place(token, toTokenAccount({ ...genesis, owner: payee }));
  await placePredeploys(anvil, 4242);
  await anvil.ask("anvil_setBalance", [relayer.address, "0xde0b6b3a7640000"]);
  const networks = [
    {
      name: "far-away",
      chainId: 4242,
      nativeCurrency: { name: "Ether", symbol: "ETH", decimals: 18 },
      tokens: [{ address: token, symbol: "USDC", decimals: 6, eip712: { name: "USDC", version: "2" }, eip3009: true }],
    },
  ];
  writeFileSync(join(folder, "networks.json"), JSON.stringify(networks));
  const silencer = await startSilencer(anvil);

  const toConfig = (settings: Record<string, string> = {}): Config =>
    loadConfig(
      {
        TOLLSCAN_DATA: join(folder, "data"),
        TOLLSCAN_NETWORKS: join(folder, "networks.json"),
        FACILITATOR_PRIVATE_KEY: relayerKey,
        NETWORK_FAR_AWAY_RPC_URL: silencer.url,
        ...settings,
      },
      folder,
    );
  const [network] = toConfig().networks;
  if (!isPayable(network)) throw new Error("The network has no payment token.");
  const requirement: PaymentRequirements = toExactRequirement({
    network: network as PayableNetwork,
    price: "$0.01",
    payTo: payee,
  });

  return {
    anvil,
    payer,
    relayer,
    network: network as PayableNetwork,
    requirement,
    url: silencer.url,
    /**
     * If called with undefined, the proxy forwards everything. Otherwise, it stops responding at the first request that
     * matches.
     */
    silenceFrom: silencer.silenceFrom,
    toConfig,
    async paid(): Promise<bigint> {
      const data = `0x70a08231${payee.slice(2).padStart(64, "0")}`;
      return BigInt((await anvil.ask("eth_call", [{ to: token, data }, "latest"])) as string);
    },
    async close(): Promise<void> {
      await silencer.close();
      await anvil.stop();
    },
  };
}

async function startSilencer(anvil: AnvilNode) {
  let words: RegExp | undefined;
  let isSilent = false;
  const server = createServer(async (incoming, outgoing) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    if (words?.test(body.toString())) isSilent = true;
    if (isSilent) return;
    const asked = askHttp(
      anvil.url,
      { method: "POST", headers: { "content-type": "application/json", "content-length": body.length } },
      (answer) => {
        outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
        answer.pipe(outgoing);
      },
    );
    asked.on("error", () => outgoing.destroy());
    asked.end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    silenceFrom(method: RegExp | undefined): void {
      words = method;
      isSilent = false;
    },
    async close(): Promise<void> {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
