/**
 * Sends a mixed load to a running node over its public JSON-RPC: transfers, token transfers, deployments, internal
 * transfers, reverts, a nonce gap, and payments. The same seed gives the same transactions.
 */

import {
  concatHex,
  encodeFunctionData,
  type Hex,
  keccak256,
  pad,
  parseAbi,
  parseEther,
  stringToHex,
  toHex,
} from "viem";
import { type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts";
import { tokenAbi } from "@/lib/abi/token";
import { toCaip2 } from "@/lib/networks";
import { pause } from "@/lib/pause";
import { createRpcRequest, type RpcRequest } from "@/lib/rpc/client";
import type { RpcResult } from "@/lib/rpc/methods";
import { payFetch } from "@/lib/x402/payFetch";
import { listDevAccounts } from "@/server/config/devAccounts";
import { seedCommand } from "@/server/node/subcommands";
import { createProgress, fail, readOptions, refuse } from "@/server/tools/program";
import { createRandom } from "@/server/tools/seededRandom";

/** How many transactions a sender may have in flight. This is lower than the limit of any pool. */
const windowSize = 48;
const pollMs = 50;
/** How long to wait for a transaction. If it isn't mined by then, it never will be. */
const patienceMs = 60_000;

/**
 * Code that sends the call's value to the address in the input's first word, creates an empty contract, and emits a
 * log.
 */
const forwarderInit: Hex = "0x60188060095f395ff35f5f5f5f345f355af1505f5f5ff0505f355f5260205fa000";
const soldOut = "The sale is over.";
/** Code that reverts every call with the reason above. */
const shopInit: Hex = concatHex([
  "0x60558060095f395ff3",
  `0x7f${"08c379a0".padEnd(64, "0")}5f526020600452`,
  concatHex(["0x60", toHex(soldOut.length, { size: 1 }), "0x6024527f", stringToHex(soldOut, { size: 32 })]),
  "0x60445260645ffd",
]);
const shopAbi = parseAbi(["function mint(address to, uint256 amount)"]);

/** The demo resources to pay for, in turn. */
const resources = ["fee-forecast", "block-digest", "block-digest"];

type Call = { to?: Hex; value?: bigint; data?: Hex; gas: bigint };
type Token = { address: Hex; decimals: number };
type Deployed = { forwarder: Hex; shop: Hex };

function readArguments() {
  const { url = "", network = "", ...counts } = readOptions(seedCommand);
  const toCount = (name: string) => {
    const value = Number(counts[name]);
    return Number.isSafeInteger(value) && value >= 0
      ? value
      : refuse(`--${name} must be a whole number, but is "${counts[name]}".`);
  };
  if (!URL.canParse(url)) refuse(`--url must be a URL such as http://localhost:3000, but is "${url}".`);
  return {
    origin: new URL(url).origin,
    network: network === "" ? undefined : network,
    transactions: toCount("transactions"),
    seed: toCount("seed"),
    payments: toCount("payments"),
  };
}

type Random = () => number;
const pick = <T>(random: Random, items: readonly T[]): T => items[Math.floor(random() * items.length)]!;
const toUnits = (random: Random, most: number): bigint => BigInt(1 + Math.floor(random() * most));

/**
 * Picks the next transaction in the mix. Some token transfers exceed the balance, some lack gas, and the shop rejects
 * every call.
 */
function toCall(random: Random, recipients: readonly Hex[], token: Token | undefined, deployed: Deployed): Call {
  const kind = random();
  const to = pick(random, recipients);
  const units = toUnits(random, 1_000_000);
  const transferToken = (amount: bigint, gas: bigint): Call => {
    const data = encodeFunctionData({ abi: tokenAbi, functionName: "transfer", args: [to, amount] });
    return { to: token!.address, data, gas };
  };
  if (kind < 0.35 || (kind < 0.75 && !token)) return { to, value: units * 10n ** 9n, gas: 21_000n };
  if (kind < 0.75) return transferToken(units, 100_000n);
  if (kind < 0.88) return { to: deployed.forwarder, value: units, data: pad(to), gas: 200_000n };
  if (kind < 0.9 && token) return transferToken(1_000_000n * 10n ** BigInt(token.decimals), 100_000n);
  if (kind < 0.91 && token) return transferToken(units, 26_000n);
  if (kind < 0.95) {
    const data = encodeFunctionData({ abi: shopAbi, functionName: "mint", args: [to, units] });
    return { to: deployed.shop, data, gas: 60_000n };
  }
  return { data: random() < 0.5 ? forwarderInit : shopInit, gas: 200_000n };
}

type Sender = { account: PrivateKeyAccount; nonce: number };

/** Signs a transaction and sends it. Fees are high enough even if the load raises the base fee. */
async function send(request: RpcRequest, chainId: number, sender: Sender, call: Call): Promise<Hex> {
  const nonce = sender.nonce++;
  const raw = await sender.account.signTransaction({
    ...call,
    chainId,
    nonce,
    type: "eip1559",
    maxFeePerGas: 100_000_000_000n,
    maxPriorityFeePerGas: 1_000_000n,
  });
  return (await request({ method: "eth_sendRawTransaction", params: [raw] })) as Hex;
}

async function waitForNonce(request: RpcRequest, { account, nonce }: Sender, behind: number): Promise<void> {
  const deadline = Date.now() + patienceMs;
  for (;;) {
    const mined = Number(await request({ method: "eth_getTransactionCount", params: [account.address, "latest"] }));
    if (nonce - mined <= behind) return;
    if (Date.now() > deadline)
      fail(`The transactions from ${account.address} were not mined; its nonce is still ${mined}.`);
    await pause(pollMs);
  }
}

async function deploy(request: RpcRequest, chainId: number, sender: Sender, init: Hex): Promise<Hex> {
  const hash = await send(request, chainId, sender, { data: init, gas: 300_000n });
  await waitForNonce(request, sender, 0);
  const receipt = await request({ method: "eth_getTransactionReceipt", params: [hash] });
  if (!receipt?.contractAddress) fail(`Transaction ${hash} did not create a contract.`);
  return receipt.contractAddress as Hex;
}

/**
 * Leaves a transaction pending by skipping its sender's first nonce. The sender is a new account, so that no other
 * transaction fills the gap.
 */
async function queue(request: RpcRequest, chainId: number, funder: Sender, name: string): Promise<Hex> {
  const account = privateKeyToAccount(keccak256(stringToHex(name)));
  await send(request, chainId, funder, { to: account.address, value: parseEther("1"), gas: 21_000n });
  await waitForNonce(request, funder, 0);
  const transfer = { to: funder.account.address, value: parseEther("0.001"), gas: 21_000n };
  return send(request, chainId, { account, nonce: 1 }, transfer);
}

type Network = RpcResult<"explorer_getNetwork">;

async function pay(origin: string, network: Network, account: PrivateKeyAccount, resource: string): Promise<boolean> {
  const caip2 = toCaip2(Number(network.chainId));
  const spendLimits = network.tokens.map(({ address, decimals }) => ({
    network: caip2,
    asset: address,
    maxUnits: 10n ** BigInt(decimals),
  }));
  const result = await payFetch(`${origin}/api/paid/${resource}?network=${network.name}`, {
    signer: { address: account.address, signTypedData: (data) => account.signTypedData(data as never) },
    spendLimits,
  });
  return result.settlement?.success === true;
}

async function main(): Promise<void> {
  const { origin, network: name, transactions, seed, payments } = readArguments();
  const request = createRpcRequest(`${origin}/api/rpc${name === undefined ? "" : `/${name}`}`);
  const network = await request({ method: "explorer_getNetwork", params: [] }).catch((error: Error) =>
    fail(`The node at ${origin} is unreachable: ${error.message}`),
  );
  if (!network.embedded)
    fail(
      `${network.label} is not a local chain of this node; only local chains have the funded accounts that this tool needs.`,
    );
  const chainId = Number(network.chainId);
  const startedAt = performance.now();
  const senders = await Promise.all(
    listDevAccounts().map(async ({ privateKey }): Promise<Sender> => {
      const account = privateKeyToAccount(privateKey);
      const nonce = Number(await request({ method: "eth_getTransactionCount", params: [account.address, "pending"] }));
      return { account, nonce };
    }),
  );
  const random = createRandom(seed);
  const [first] = senders as [Sender];
  const deployed = {
    forwarder: await deploy(request, chainId, first, forwarderInit),
    shop: await deploy(request, chainId, first, shopInit),
  };
  const recipients = [
    ...senders.map(({ account }) => account.address),
    ...Array.from({ length: 40 }, (_, index) => pad(toHex(0x5eed00 + index), { size: 20 })),
  ];
  const [token] = network.tokens as Token[];
  // All random numbers are drawn before anything is sent, so that the order of responses doesn't affect the plans.
  const plans = Array.from({ length: transactions }, (_, index) => ({
    sender: senders[index % senders.length]!,
    call: toCall(random, recipients, token, deployed),
  }));
  const progress = createProgress();
  let sent = 0;
  await Promise.all(
    senders.map(async (sender) => {
      for (const plan of plans) {
        if (plan.sender !== sender) continue;
        await send(request, chainId, sender, plan.call);
        sent++;
        progress(`${sent} of ${transactions} transactions sent`);
        if (sender.nonce % windowSize === 0) await waitForNonce(request, sender, windowSize / 2);
      }
    }),
  );
  for (const sender of senders) await waitForNonce(request, sender, 0);
  const waiting = await queue(request, chainId, first, `${seed} ${first.nonce}`);
  let paid = 0;
  if (network.tokens.length > 0) {
    for (let index = 0; index < payments; index++) {
      if (await pay(origin, network, senders[index % 5]!.account, resources[index % resources.length]!)) paid++;
      progress(`${index + 1} of ${payments} payments made`);
    }
  }
  const seconds = (performance.now() - startedAt) / 1000;
  process.stdout.write(
    `${sent} transactions sent and mined, ${paid} of ${payments} payments settled in ${seconds.toFixed(1)} s.\n` +
      `${waiting} is queued behind an earlier nonce.\n`,
  );
}

await main();
