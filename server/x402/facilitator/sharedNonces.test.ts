/**
 * Tests several relayers that send from one account over one store, on a real chain. No two transactions share a nonce,
 * and no gap remains, even if an instance dies between allocating a nonce and sending.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseTransaction } from "viem";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { startAnvilChain, testAccounts } from "@/server/contracts/testing/anvilChain";
import type { Eip1193Request } from "@/server/ports/eip1193";
import type { Store } from "@/server/ports/store";
import { openStore } from "@/server/storage/open";
import { createRelayer, type NewTransaction, type RelayerOptions, sendCall } from "@/server/x402/facilitator/relayer";
import { createReader } from "@/server/x402/reads/reader";

let chain: Awaited<ReturnType<typeof startAnvilChain>>;
let store: Store;
let folder: string;
let nudge: NodeJS.Timeout | undefined;
const account = testAccounts[4] as (typeof testAccounts)[0];
const address = account.address.toLowerCase() as `0x${string}`;
const call = { to: testAccounts[0].address, data: "0x", gas: 21_000n } as const;
const noRecord = async () => undefined;

beforeAll(async () => {
  chain = await startAnvilChain();
  // anvil sometimes misses transactions that arrive at once until something else mines a block (foundry issue 10122).
  nudge = setInterval(() => void chain.client.mine({ blocks: 1 }).catch(() => undefined), 1000);
  folder = await mkdtemp(join(tmpdir(), "tollscan-nonces-"));
  store = await openStore({ kind: "sqlite", file: join(folder, "ledger.sqlite") }, { readonly: false });
});
afterAll(async () => {
  clearInterval(nudge);
  await store.close();
  await chain.close();
  await rm(folder, { recursive: true });
});

const pass: Eip1193Request = (args) => (chain.client.request as Eip1193Request)(args);
/**
 * A network that immediately reports that the transaction wasn't mined in time (EIP-7966). anvil would wait ten
 * seconds.
 */
const hasty: Eip1193Request = async (args) => {
  if (args.method !== "eth_sendRawTransactionSync") return pass(args);
  await pass({ ...args, method: "eth_sendRawTransaction" });
  throw Object.assign(new Error("not mined in time"), { code: 4 });
};
const isSend = (method: string) => method.startsWith("eth_sendRawTransaction");
const start = (holder: string, request = pass, options: Partial<RelayerOptions> = {}) =>
  createRelayer({
    reader: createReader(request),
    chainId: 10143,
    account,
    waitMs: 20_000,
    pollMs: 5,
    shared: { store, holder },
    ...options,
  });
const countMined = () => chain.client.getTransactionCount({ address });
const nonceOf = ({ raw }: { raw: `0x${string}` }) => parseTransaction(raw).nonce ?? 0;
/** The store also lists earlier nonces until a later nonce is allotted. */
const untilSigned = (nonce: number) =>
  vi.waitUntil(async () => (await store.listSigned(address)).some((signed) => signed.nonce === nonce), {
    timeout: 20_000,
    interval: 5,
  });

it("gives every transaction from every instance a unique nonce, without gaps", async () => {
  const first = await countMined();
  const relayers = ["one", "two", "three"].map((holder) => start(holder));
  const sent = await Promise.all(Array.from({ length: 24 }, (_, at) => sendCall(relayers[at % 3]!, call, noRecord)));
  expect(sent.map(({ result }) => result.kind)).toEqual(Array(24).fill("mined"));
  const nonces = sent.map(({ transaction }) => nonceOf(transaction)).sort((a, b) => a - b);
  expect(nonces).toEqual(Array.from({ length: 24 }, (_, at) => first + at));
});

it("reuses the nonce of an instance that died before signing", async () => {
  const first = await countMined();
  const dead = { account: address, mined: first, pending: first, holder: "dead" };
  expect(await store.allotNonce({ ...dead, lengthMs: 1 })).toBe(first);
  await new Promise((resolve) => setTimeout(resolve, 5));
  const { transaction, result } = await sendCall(start("one"), call, noRecord);
  expect([result.kind, nonceOf(transaction)]).toEqual(["mined", first]);
});

it("fills the nonce of an instance that died before signing, if a later transaction waits for that nonce", async () => {
  const first = await countMined();
  const dead = { account: address, mined: first, pending: first, holder: "dead" };
  await store.allotNonce({ ...dead, lengthMs: 60_000 });
  const sending = sendCall(start("one", hasty), call, noRecord);
  await untilSigned(first + 1);
  // Expires the dead instance's reservation while the later transaction is already waiting.
  await store.returnAllotment({ account: address, nonce: first, holder: "dead" });
  const { transaction, result } = await sending;
  expect([result.kind, nonceOf(transaction)]).toEqual(["mined", first + 1]);
  expect(await countMined()).toBe(first + 2);
});

it("sends a transaction that a dead instance signed but never sent, if a later transaction waits for it", async () => {
  const first = await countMined();
  let left: NewTransaction | undefined;
  // The instance dies before sending, so none of its requests arrive.
  const dying = start("dying", (args) => (isSend(args.method) ? new Promise(() => {}) : pass(args)));
  void sendCall(dying, call, async (signed) => {
    left = signed;
  });
  await untilSigned(first);
  const { transaction, result } = await sendCall(start("one", hasty), call, noRecord);
  expect([result.kind, nonceOf(transaction)]).toEqual(["mined", first + 1]);
  expect(await chain.client.getTransactionReceipt({ hash: left!.hash })).toMatchObject({ status: "success" });
});

it("does not send with a nonce that was reassigned to another instance during signing", async () => {
  const first = await countMined();
  const slow = start("slow");
  const seen: number[] = [];
  const { transaction, result } = await sendCall(slow, call, async (signed) => {
    seen.push(nonceOf(signed));
    if (seen.length > 1) return;
    // Simulates the reservation expiring and another instance getting the nonce.
    await store.returnAllotment({ account: address, nonce: nonceOf(signed), holder: "slow" });
    await sendCall(start("quick"), call, noRecord);
  });
  expect(seen).toEqual([first, first + 1]);
  expect([result.kind, nonceOf(transaction)]).toEqual(["mined", first + 1]);
});

it("reuses the nonce of a rejected transaction, or fills it if later transactions wait for it", async () => {
  const first = await countMined();
  let refusals = 0;
  const relayer = start("one", (args) => {
    if (!isSend(args.method) || refusals > 0) return pass(args);
    refusals += 1;
    return Promise.reject(Object.assign(new Error("txpool is full"), { code: -32000 }));
  });
  const sent = await Promise.all(Array.from({ length: 4 }, () => sendCall(relayer, call, noRecord)));
  expect(sent.map(({ result }) => result.kind).sort()).toEqual(["mined", "mined", "mined", "refused"]);
  expect(await countMined()).toBe(first + 4);
});
