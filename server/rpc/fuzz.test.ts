/**
 * Sends fifty thousand malformed requests to the dispatcher of a real chain: each gets a well-formed response that
 * reveals no internals, and memory doesn't grow.
 */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { hexToBytes } from "viem";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createFixedChain, developer } from "@/server/rpc/testing/fixedChain";
import { createMalformed, createRandom, type Malformed } from "@/server/rpc/testing/malformed";
import type { TestNode } from "@/server/rpc/testing/testNode";

const seed = 20_260_101;
const total = 50_000;
const concurrency = 64;
/** How much the heap may grow after the first fifth of the requests, when every method has warmed up. */
const heapGrowthBytes = 24 * 1024 * 1024;
/**
 * Matches text that reveals internals, such as file names and stack frames, which errors from libraries could contain.
 */
const insides =
  /node_modules|\/server\/|\/lib\/|file:\/\/|\.(ts|mjs|js):\d|\n\s+at |Cannot read propert|is not a function|SQLITE|undefined is/;

let node: TestNode;
let raws: Uint8Array[];
beforeAll(async () => {
  // Small limits keep queues and long calls short.
  const limits = { callGas: 300_000n, filters: 40, poolTransactions: 200, callTimeMs: 2_000 };
  node = await createFixedChain({ limits });
  const sender = developer(0);
  const { chainId } = node.network;
  const common = { chainId, gas: 60_000n, nonce: 9, to: developer(1).address, value: 1n, data: "0xc0ffee" } as const;
  const fees = { maxFeePerGas: 10n ** 10n, maxPriorityFeePerGas: 10n ** 9n };
  const accessList = [{ address: developer(2).address, storageKeys: [`0x${"01".repeat(32)}`] as const }];
  const authorization = await developer(2).signAuthorization({ contractAddress: sender.address, chainId, nonce: 0 });
  const signed = await Promise.all([
    sender.signTransaction({ ...common, type: "legacy", gasPrice: 10n ** 10n }),
    sender.signTransaction({ ...common, type: "eip2930", gasPrice: 10n ** 10n, accessList }),
    sender.signTransaction({ ...common, type: "eip1559", ...fees, accessList }),
    sender.signTransaction({ ...common, type: "eip7702", ...fees, authorizationList: [authorization] }),
    sender.signTransaction({
      ...common,
      type: "eip4844",
      ...fees,
      maxFeePerBlobGas: 10n ** 9n,
      blobVersionedHashes: [`0x01${"ab".repeat(31)}`],
    }),
  ]);
  raws = signed.map((raw) => hexToBytes(raw));
});
afterAll(() => node?.close());

/** The heap in use after garbage collection, in bytes. */
function measureHeap(): number {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  collect();
  collect();
  return process.memoryUsage().heapUsed;
}

/** How often each error code was returned; 0 stands for a result. The requests must produce all expected codes. */
const answered = new Map<number, number>();
const count = (code: number) => answered.set(code, (answered.get(code) ?? 0) + 1);

/** Describes the problem with a response object; undefined if it is valid. */
function findFault(answer: unknown, id: unknown): string | undefined {
  if (typeof answer !== "object" || answer === null) return "is not an object";
  const { jsonrpc, error, ...rest } = answer as Record<string, unknown>;
  if (jsonrpc !== "2.0" || !("id" in rest)) return "is not a JSON-RPC response";
  if (id !== undefined && rest.id !== id) return `has the id ${JSON.stringify(rest.id)}`;
  if ((error === undefined) === !("result" in rest)) return "doesn't have exactly one of result and error";
  if (error === undefined) {
    count(0);
    return undefined;
  }
  const { code, message } = error as { code: unknown; message: unknown };
  if (!Number.isInteger(code) || typeof message !== "string" || message === "") return "has an invalid error";
  count(Number(code));
  if (code === -32603) return "is an internal error";
  if (insides.test(message) || message.length > 500) return "reveals internals";
  return undefined;
}

async function send({ text, id }: Malformed): Promise<string | undefined> {
  const answer = await node.dispatcher.dispatch(Buffer.from(text), { address: "192.0.2.7" });
  // Only a request without a readable ID may remain without a response.
  if (answer === undefined) return id === undefined ? undefined : "is missing";
  const parsed = JSON.parse(answer) as unknown;
  if (!Array.isArray(parsed)) return findFault(parsed, id);
  return parsed.length === 0 ? "is an empty batch" : parsed.map((one) => findFault(one, undefined)).find(Boolean);
}

describe("malformed requests", () => {
  it(`get ${total} well-formed responses without heap growth`, { timeout: 180_000 }, async () => {
    const next = createMalformed(createRandom(seed), raws);
    const faults: string[] = [];
    const run = async (count: number) => {
      let left = count;
      const worker = async () => {
        while (left-- > 0 && faults.length < 20) {
          const request = next();
          const fault = await send(request).catch((error: unknown) => `was thrown: ${error}`);
          if (fault) faults.push(`${request.text.slice(0, 400)}\n  its response ${fault}`);
        }
      };
      await Promise.all(Array.from({ length: concurrency }, worker));
    };
    await run(total / 5);
    const before = measureHeap();
    await run((total / 5) * 4);
    expect(faults).toEqual([]);
    for (const code of [0, -32700, -32600, -32601, -32602, -32000]) expect(answered.get(code)).toBeGreaterThan(100);
    expect((answered.get(0) ?? 0) / total).toBeLessThan(0.5);
    expect(measureHeap() - before).toBeLessThan(heapGrowthBytes);
  });

  it("leave the chain mining and responding", async () => {
    const sender = developer(5);
    const { chainId } = node.network;
    const fees = { type: "eip1559", maxFeePerGas: 10n ** 11n, maxPriorityFeePerGas: 10n ** 9n } as const;
    const to = developer(6).address;
    const raw = await sender.signTransaction({ chainId, nonce: 0, gas: 21_000n, to, value: 1n, ...fees });
    const receipt = await node.request({ method: "eth_sendRawTransactionSync", params: [raw, 10_000] });
    expect(receipt).toMatchObject({ status: "0x1" });
  });
});
