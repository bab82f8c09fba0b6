/** Tests structured params in the forms that wallets and libraries send, and tests that invalid params are rejected. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { callObject, logFilter, stateOverrides } from "@/lib/rpc/inputs";
import { toTracer, tracer } from "@/lib/rpc/tracerInputs";

const a = "0x00000000000000000000000000000000000000aa";
const b = "0x00000000000000000000000000000000000000bb";
const word = (digits: string) => `0x${digits.padStart(64, "0")}` as const;

describe("call object", () => {
  it("keeps only the fields that were sent", () => {
    expect(callObject.parse({ to: a, from: null, unknown: 1 })).toEqual({ to: a });
  });

  it("treats data as an alias of input", () => {
    expect(callObject.parse({ data: "0xAB" })).toEqual({ input: "0xab", data: "0xab" });
    expect(callObject.parse({ input: "0xAB" })).toEqual({ input: "0xab" });
    expect(callObject.parse({ data: "0xab", input: "0xAB" })).toEqual({ input: "0xab", data: "0xab" });
    expect(callObject.safeParse({ data: "0xab", input: "0xac" }).success).toBe(false);
  });

  it("accepts lists as arrays and as JSON strings", () => {
    const accessList = [{ address: a, storageKeys: ["0x1"] }];
    const authorizationList = [{ chainId: "0x1", address: b, nonce: "0x0", yParity: "0x1", r: word("1"), s: "0x2" }];
    const decoded = {
      to: a,
      accessList: [{ address: a, storageKeys: [word("1")] }],
      authorizationList: [{ chainId: 1n, address: b, nonce: 0n, yParity: 1, r: 1n, s: 2n }],
    };
    expect(callObject.parse({ to: a, accessList, authorizationList })).toEqual(decoded);
    const asText = { accessList: JSON.stringify(accessList), authorizationList: JSON.stringify(authorizationList) };
    expect(callObject.parse({ to: a, ...asText })).toEqual(decoded);
  });

  it.each([
    [{ accessList: "not json" }],
    [{ accessList: "{}" }],
    [{ accessList: [{ address: "0x12", storageKeys: [] }] }],
    [{ gasPrice: "0x1", maxFeePerGas: "0x1" }],
    [{ authorizationList: [] }],
    [{ value: "1" }],
    [{ value: 1 }],
    ["0x"],
    [null],
  ])("rejects %j", (value) => {
    expect(callObject.safeParse(value).success).toBe(false);
  });
});

describe("log filter", () => {
  it("accepts single values and lists, and treats an empty list as any", () => {
    const one = logFilter.parse({ address: a, topics: [word("1"), null, [], [word("2"), word("3")]] });
    expect(one.addresses).toEqual([a]);
    expect(one.topics).toEqual([[word("1")], undefined, undefined, [word("2"), word("3")]]);
    expect(logFilter.parse({ address: [] })).toEqual({ range: { from: undefined, to: undefined }, topics: [] });
  });

  it("accepts a block hash or a range, but not both", () => {
    expect(logFilter.parse({ blockHash: word("a") }).range).toEqual({ blockHash: word("a") });
    expect(logFilter.safeParse({ blockHash: word("a"), fromBlock: "latest" }).success).toBe(false);
  });

  it("rejects a fifth topic", () => {
    expect(logFilter.safeParse({ topics: [null, null, null, null, null] }).success).toBe(false);
  });
});

describe("tracer", () => {
  const choose = (given: unknown) => toTracer(tracer.parse(given), "contract");

  it("defaults to the call tracer", () => {
    expect(choose(undefined)).toEqual({ tracer: "callTracer", onlyTopCall: false, withLog: false });
    expect(choose({})).toEqual(choose(undefined));
  });

  it("defaults to the struct logger if only its options are set", () => {
    expect(choose({ enableMemory: true })).toMatchObject({ tracer: "structLog", enableMemory: true });
    expect(choose({ disableStack: false })).toMatchObject({ tracer: "structLog" });
  });

  it("ignores options of other tracers", () => {
    const options = { diffMode: true, onlyTopCall: true, withLog: true };
    expect(choose({ tracer: "callTracer", tracerConfig: options })).toEqual({
      tracer: "callTracer",
      onlyTopCall: true,
      withLog: true,
    });
    expect(choose({ tracer: "prestateTracer", tracerConfig: options })).toMatchObject({ diffMode: true });
  });

  it("gives each tracer of a muxTracer its own options", () => {
    const tracerConfig = { callTracer: { withLog: true }, "4byteTracer": null, muxTracer: { noopTracer: {} } };
    expect(choose({ tracer: "muxTracer", tracerConfig })).toEqual({
      tracer: "muxTracer",
      tracers: {
        callTracer: { tracer: "callTracer", onlyTopCall: false, withLog: true },
        "4byteTracer": { tracer: "4byteTracer" },
        muxTracer: { tracer: "muxTracer", tracers: { noopTracer: { tracer: "noopTracer" } } },
      },
    });
    for (const inner of [{ fooTracer: {} }, { callTracer: 1 }, { callTracer: { withLog: "yes" } }]) {
      expect(tracer.safeParse({ tracer: "muxTracer", tracerConfig: inner }).success).toBe(false);
    }
  });

  it("rejects an unknown tracer", () => {
    expect(tracer.safeParse({ tracer: "5byteTracer" }).success).toBe(false);
  });
});

it("rejects an account override with both state and stateDiff", () => {
  expect(stateOverrides.parse({ [a.toUpperCase().replace("0X", "0x")]: { balance: "0x1" } })).toEqual({
    [a]: { balance: 1n },
  });
  expect(stateOverrides.safeParse({ [a]: { state: {}, stateDiff: {} } }).success).toBe(false);
  expect(stateOverrides.safeParse({ notAnAddress: {} }).success).toBe(false);
});

it("rejects more than 10,000 overridden accounts and slots", () => {
  const slots = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [word(`${at}`), word("1")]));
  const toOverrides = (count: number) => ({ [a]: { state: slots(5_000) }, [b]: { stateDiff: slots(count) } });
  expect(stateOverrides.safeParse(toOverrides(4_998)).success).toBe(true);
  const { error } = stateOverrides.safeParse(toOverrides(4_999));
  expect(error?.issues).toMatchObject([{ message: "expected at most 10000 accounts and slots, got 10001" }]);
});

it("never throws on any JSON value", () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.constantFrom(callObject, logFilter, tracer, stateOverrides), (value, type) => {
      expect(() => type.safeParse(value)).not.toThrow();
    }),
  );
});
