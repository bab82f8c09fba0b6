/**
 * Many clients send payments, with retries, to a facilitator that is killed repeatedly and whose node is behind a
 * faulty proxy. At the end, the ledger, the token and the responses that clients received must agree exactly.
 */

import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { numberToHex } from "viem";
import { type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts";
import { pause } from "@/lib/pause";
import type { Payment } from "@/lib/rpc/explorerShapes";
import { idempotencyKeyHeader } from "@/lib/x402/header";
import { signPayment } from "@/lib/x402/signPayment";
import type { PaymentPayload, PaymentRequirements, SettleResponse } from "@/lib/x402/types";
import { type ServerProcess, startServer } from "@/server/testing/serverProcess";
import { toExactRequirement, token, toNetworksFile } from "@/server/tools/bench/exactTerms";
import { askRpc, post } from "@/server/tools/bench/jsonRpc";
import { createRandom } from "@/server/tools/seededRandom";
import { startChaosProxy } from "@/server/tools/soak/chaosProxy";
import { assertSame, networkName, readBalance, toAccount, unsettledReasons } from "@/server/tools/soak/soakNetwork";

type Hex = `0x${string}`;

export type SoakOptions = {
  payments: number;
  payers: number;
  seed: number;
  /** How many payments there are between two kills of the facilitator. */
  killEvery: number;
  atOnce: number;
  say: (line: string) => void;
};

export type SoakReport = { settled: number; refused: number; kills: number; faults: Record<string, number> };

/** The balance of most payers. One payer in ten gets `poor` instead, which is less than it tries to spend. */
const rich = 10n ** 9n;
const poor = 1_500n;
/** If a payment has been retried for this long, the run counts as stuck. */
const patienceMs = 180_000;
type Told = { payer: Hex; units: bigint; outcome: SettleResponse };

/** Runs the soak test. Throws if anything disagrees. */
export async function runSoak(options: SoakOptions): Promise<SoakReport> {
  const { payments, seed, killEvery, atOnce, say } = options;
  const random = createRandom(seed);
  const folder = mkdtempSync(join(tmpdir(), "tollscan-soak-"));
  const payers = Array.from({ length: options.payers }, (_, index) => toAccount(0x50a_0000 + index));
  const payees = Array.from({ length: 5 }, (_, index) => toAccount(0x9a1_0000 + index).address.toLowerCase() as Hex);
  const relayerKey = numberToHex(0x4e1_0000, { size: 32 });
  const balances = new Map(
    payers.map(({ address }, index) => [address.toLowerCase() as Hex, index % 10 === 0 ? poor : rich]),
  );
  const networks = join(folder, "networks.json");
  const allocations = [
    ...[...balances].map(([address, units]) => ({ address, wei: 0n, units })),
    { address: privateKeyToAccount(relayerKey).address, wei: 10n ** 24n, units: 0n },
  ];
  writeFileSync(networks, toNetworksFile(networkName, allocations));

  const chain = await startServer({ TOLLSCAN_DATA: join(folder, "chain"), TOLLSCAN_NETWORKS: networks });
  const chainUrl = `${chain.origin}/api/rpc/${networkName}`;
  const proxy = await startChaosProxy(chainUrl, createRandom(seed + 1));
  const env = {
    TOLLSCAN_DATA: join(folder, "facilitator"),
    TOLLSCAN_NETWORKS: networks,
    NETWORK_SOAK_RPC_URL: proxy.url,
    NETWORK_SOAK_MIN_AMOUNT: "0.000001",
    NETWORK_SOAK_PAYER_GAS: "1000000000000",
    FACILITATOR_PRIVATE_KEY: relayerKey,
    TOLLSCAN_LIMIT_FACILITATOR_REQUESTS: "1000000",
  };
  let facilitator: ServerProcess | undefined;
  let kills = 0;
  /** Starts the facilitator. If the proxy's faults make the start fail, tries again, as a process supervisor would. */
  const start = async (): Promise<void> => {
    for (let attempt = 1; ; attempt++) {
      try {
        facilitator = await startServer(env);
        return;
      } catch (error) {
        if (attempt === 10) throw error;
      }
    }
  };
  const restart = async () => {
    const dying = facilitator;
    facilitator = undefined;
    await dying?.stop("SIGKILL");
    await start();
    kills += 1;
  };

  try {
    await start();
    const told: Told[] = [];
    let begun = 0;
    let restarting: Promise<void> = Promise.resolve();
    await Promise.all(
      Array.from({ length: atOnce }, async () => {
        while (begun < payments) {
          const number = begun++;
          if (number > 0 && number % killEvery === 0) restarting = restarting.then(restart);
          const payer = pick(payers, random());
          const units = BigInt(1 + Math.floor(random() * 1000));
          const plan = { habit: random(), payee: pick(payees, random()) };
          const outcome = await payOnce(() => facilitator?.origin, payer, units, plan);
          told.push({ payer: payer.address.toLowerCase() as Hex, units, outcome });
          if (told.length % 1000 === 0) say(`${told.length} of ${payments} payments, ${kills} kills`);
        }
      }),
    );
    await restarting;
    proxy.calm();
    // A restart finishes any settlement that the last kill interrupted.
    await restart();
    const ledger = await readLedger(() => facilitator?.origin);
    await compare({ told, ledger, balances, payees, chainUrl });
    const settled = told.filter(({ outcome }) => outcome.success).length;
    return { settled, refused: told.length - settled, kills, faults: proxy.counts };
  } finally {
    await facilitator?.stop("SIGKILL");
    await proxy.close();
    await chain.stop("SIGKILL");
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Makes a payment and retries it until the outcome is final. Some payments are sent by three sellers at once, and some
 * are sent again with a changed amount.
 */
async function payOnce(
  findOrigin: () => string | undefined,
  payer: PrivateKeyAccount,
  units: bigint,
  { habit, payee }: { habit: number; payee: Hex },
): Promise<SettleResponse> {
  const requirement = toExactRequirement(units, payee, 86_400);
  const signer = { address: payer.address, signTypedData: (data: never) => payer.signTypedData(data) };
  const payload = await signPayment({ signer: signer as never, requirement, nowMs: Date.now() });
  const untilMs = Date.now() + patienceMs;
  const sellers = Array.from({ length: habit < 0.1 ? 3 : 1 }, () => randomUUID());
  for (;;) {
    const answers = await Promise.all(
      sellers.map((key) => settle(findOrigin(), payload, requirement, key).catch(() => undefined)),
    );
    const successes = answers.filter((answer) => answer?.success);
    if (successes.length > 1) throw new Error(`${successes.length} sellers received the success of one payment.`);
    // If no seller received a success, the outcome isn't final unless every response is a final refusal. Otherwise, a
    // lost response may have been the success.
    const outcome = successes[0] ?? (answers.every(isFinal) ? answers[0] : undefined);
    if (outcome) {
      if (habit > 0.9) await assertTamperingFails(findOrigin(), payload, requirement);
      if (habit > 0.8 && outcome.success) {
        await assertHeardOnce(findOrigin(), payload, requirement, { outcome, key: sellers[answers.indexOf(outcome)]! });
      }
      return outcome;
    }
    if (Date.now() > untilMs) {
      throw new Error(`A payment is stuck: ${JSON.stringify(answers[0] ?? "no answer")}.`);
    }
    await pause(100);
  }
}

function isFinal(answer: SettleResponse | undefined): boolean {
  return answer !== undefined && !answer.success && !unsettledReasons.has(answer.errorReason ?? "");
}

async function assertTamperingFails(origin: string | undefined, payload: PaymentPayload, given: PaymentRequirements) {
  const dearer = { ...given, amount: String(BigInt(given.amount) + 1n) };
  const answer = await settle(origin, { ...payload, accepted: dearer }, dearer, randomUUID()).catch(() => undefined);
  if (answer?.success) throw new Error("A payment was settled for more than was signed.");
}

/**
 * Checks what happens if sellers ask again about a success: the seller that received it first receives it again, and
 * another seller doesn't.
 */
async function assertHeardOnce(
  origin: string | undefined,
  payload: PaymentPayload,
  requirement: PaymentRequirements,
  first: { outcome: SettleResponse; key: string },
) {
  const other = await settle(origin, payload, requirement, randomUUID()).catch(() => undefined);
  if (other?.success) throw new Error("The success of a payment was also reported to another seller.");
  const again = await settle(origin, payload, requirement, first.key).catch(() => undefined);
  if (!again || (!again.success && unsettledReasons.has(again.errorReason ?? ""))) return;
  if (!again.success || again.transaction !== first.outcome.transaction) {
    throw new Error(`A settled payment got a different response: ${JSON.stringify(again)}.`);
  }
}

async function settle(
  origin: string | undefined,
  paymentPayload: PaymentPayload,
  paymentRequirements: PaymentRequirements,
  idempotencyKey: string,
): Promise<SettleResponse> {
  if (!origin) throw new Error("The facilitator is still starting.");
  const body = { x402Version: 2, paymentPayload, paymentRequirements };
  const headers = { [idempotencyKeyHeader]: idempotencyKey };
  return (await post(`${origin}/api/facilitator/settle`, body, headers)) as SettleResponse;
}

/** Waits until no settlement is in progress, and then reads the whole ledger. */
async function readLedger(findOrigin: () => string | undefined): Promise<Payment[]> {
  for (const untilMs = Date.now() + patienceMs; ; await pause(200)) {
    const entries: Payment[] = [];
    let before: string | null = null;
    do {
      const page: { items: Payment[]; next: string | null } = (await askRpc(
        `${findOrigin()}/api/rpc/${networkName}`,
        "explorer_getPayments",
        [before === null ? { limit: 100 } : { limit: 100, before }],
      )) as never;
      entries.push(...page.items);
      before = page.next;
    } while (before !== null);
    if (entries.every(({ state }) => state !== "settling")) return entries;
    if (Date.now() > untilMs) throw new Error("Some settlements did not finish.");
  }
}

type Evidence = {
  told: Told[];
  ledger: Payment[];
  balances: Map<Hex, bigint>;
  payees: Hex[];
  chainUrl: string;
};

/** Compares the clients' responses, the ledger, the token's balances and the token's events. */
async function compare({ told, ledger, balances, payees, chainUrl }: Evidence): Promise<void> {
  const settled = ledger.filter(({ state }) => state === "settled");
  const succeeded = told.filter(({ outcome }) => outcome.success);
  assertSame("payments settled in the ledger and payments reported to clients", settled.length, succeeded.length);
  const transactions = new Set(settled.map(({ transaction }) => transaction));
  for (const { outcome } of succeeded) {
    if (!transactions.has(outcome.transaction as Hex)) throw new Error(`${outcome.transaction} is not in the ledger.`);
  }
  const toUnits = ({ settledAmount }: Payment) => BigInt(settledAmount ?? 0);
  const sum = (amounts: bigint[]) => amounts.reduce((total, amount) => total + amount, 0n);
  assertSame(
    "units settled in the ledger and units reported to clients",
    sum(settled.map(toUnits)),
    sum(succeeded.map(({ units }) => units)),
  );
  for (const payee of payees) {
    const earned = sum(settled.filter((entry) => entry.payee === payee).map(toUnits));
    assertSame(`the balance of payee ${payee} and its ledger`, await readBalance(chainUrl, payee), earned);
  }
  for (const [payer, start] of balances) {
    const spent = sum(settled.filter((entry) => entry.payer === payer).map(toUnits));
    assertSame(`the balance of payer ${payer} and its ledger`, await readBalance(chainUrl, payer), start - spent);
  }
  assertSame("authorizations used and payments settled", await countUsed(chainUrl), settled.length);
}

/** Counts the token's AuthorizationUsed(address,bytes32) events, in block ranges that stay within the node's limits. */
async function countUsed(url: string): Promise<number> {
  const topic = "0x98de503528ee59b575ef0c0a2576a82497bfc029a5685b209e9ec333479b10a5";
  const head = Number(await askRpc(url, "eth_blockNumber", []));
  let count = 0;
  for (let from = 0; from <= head; from += 100) {
    const range = { fromBlock: numberToHex(from), toBlock: numberToHex(Math.min(head, from + 99)) };
    count += ((await askRpc(url, "eth_getLogs", [{ address: token, topics: [topic], ...range }])) as unknown[]).length;
  }
  return count;
}

function pick<T>(items: readonly T[], at: number): T {
  return items[Math.floor(at * items.length)] as T;
}
