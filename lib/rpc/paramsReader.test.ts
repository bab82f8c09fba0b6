/**
 * The params readers against the schemas that they are made from: whatever a reader answers, the schema answers too, and
 * what wallets ask most is read without the schema.
 */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { methods } from "@/lib/rpc/methods";
import { createParamsReader } from "@/lib/rpc/paramsReader";
import type { MethodDefinition } from "@/lib/rpc/schema/define";

const definitions = Object.values(methods) as unknown as MethodDefinition[];
const address = "0xF39fd6e51aad88f6f4ce6ab8827279cfffb92266";
const hash = `0x${"Ab".repeat(32)}`;

/** Values that params are made of, right ones and those that are almost right. */
const values: unknown[] = [
  undefined,
  null,
  true,
  0,
  20,
  -1,
  1.5,
  2 ** 60,
  "",
  "0x",
  "0x0",
  "0x01",
  "0x1f",
  `0x${"f".repeat(16)}`,
  `0x${"f".repeat(65)}`,
  "latest",
  "newest",
  address,
  hash,
  "0xabc",
  [],
  [address],
  [hash, null],
  [[hash], [], "0x"],
  [25, 75],
  {},
  { blockNumber: "0x1" },
  { blockHash: hash, requireCanonical: true },
  { blockHash: hash, blockNumber: "0x1" },
  { blockHash: hash, more: 1 },
  { to: address, data: "0xa0", input: "0xA0" },
  { to: address, data: "0xa0", input: "0xb0" },
  { from: address, gas: "0x5208", gasPrice: "0x1", maxFeePerGas: "0x1" },
  { to: null, value: "0x00", chainId: "0x1", unknown: 1 },
  { to: address, accessList: [{ address, storageKeys: ["0x1"] }] },
  { to: address, accessList: "[]" },
  { to: address, accessList: "[" },
  { authorizationList: [] },
  { fromBlock: "0x1", toBlock: "latest", address, topics: [hash, null, [hash]] },
  { fromBlock: "0x1", blockHash: hash },
  { address: [], topics: [] },
  { [address]: { balance: "0x1", stateDiff: { "0x0": hash } } },
  { [address]: { code: "0x1" } },
  { tracer: "callTracer", tracerConfig: { onlyTopCall: true } },
  { tracer: "other" },
  { limit: -1 },
  JSON.parse('{"__proto__": {"to": "0x1"}}'),
];

describe("a params reader", () => {
  it("answers as its schema does, or not at all", () => {
    const params = fc.array(fc.constantFrom(...values), { maxLength: 4 });
    for (const { name, params: schema, examples } of definitions) {
      const read = createParamsReader(schema);
      if (!read) continue;
      const compare = (given: readonly unknown[]) => {
        const quick = read(given);
        if (quick === undefined) return;
        const full = schema.safeParse(given);
        expect(full.success, `${name} ${JSON.stringify(given)}`).toBe(true);
        expect(quick, `${name} ${JSON.stringify(given)}`).toStrictEqual(full.data);
      };
      for (const example of examples) compare(example.params);
      fc.assert(fc.property(params, compare), { numRuns: 200 });
    }
  });

  it.each([
    ["eth_chainId", []],
    ["eth_getBalance", [address]],
    ["eth_getStorageAt", [address, "0x0", { blockHash: hash }]],
    ["eth_getBlockByNumber", ["0x1", true]],
    ["eth_getTransactionByHash", [hash]],
    ["eth_call", [{ to: address, data: "0x70a08231" }, "latest"]],
    ["eth_getLogs", [{ address, fromBlock: "0x1", toBlock: "latest", topics: [null, [hash]] }]],
    ["eth_feeHistory", ["0x14", "latest", [25, 75]]],
    ["eth_sendRawTransaction", ["0x02c0"]],
    ["debug_traceTransaction", [hash, { tracer: "callTracer" }]],
  ] as const)("reads what is asked often: %s", (name, params) => {
    const { params: schema } = methods[name] as unknown as MethodDefinition;
    const read = createParamsReader(schema)?.(params);
    expect(read).toBeDefined();
    expect(read).toStrictEqual(schema.parse(params));
  });

  it("leaves every fault to the schema", () => {
    const read = createParamsReader(methods.eth_getBalance.params as MethodDefinition["params"]);
    expect(read?.(["0x1", "latest"])).toBeUndefined();
    expect(read?.([address, "newest"])).toBeUndefined();
    expect(read?.([address, "latest", 1])).toBeUndefined();
    expect(read?.([])).toBeUndefined();
  });
});
