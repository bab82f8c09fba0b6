/**
 * Tests JavaScript tracers against a real chain: geth's API, the sandbox's limits, and the setting that allows such
 * tracers.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Hex } from "@/server/ethereum/types";
import { createTestNode, type TestNode } from "@/server/rpc/testing/testNode";

let node: TestNode;
beforeAll(async () => {
  node = await createTestNode({ limits: { callTimeMs: 1_500, callWorkers: 1, responseBytes: 1_000_000 } });
});
afterAll(() => node?.close());

type Answer = { result?: unknown; error?: { code: number; message: string } };

const caller = "0x1111111111111111111111111111111111111111";
const callee = "0x2222222222222222222222222222222222222222";
/** PUSH1 7, PUSH1 1, SSTORE, then STATICCALL(gas, callee, 0, 0, 0, 32), POP, RETURN(0, 32) */
const callerCode: Hex = `0x6007600155602060006000600073${callee.slice(2)}5afa5060206000f3`;
/** Returns 42. */
const calleeCode: Hex = "0x602a60005260206000f3";

async function trace(tracer: string, code: Hex = callerCode, options: object = {}): Promise<Answer> {
  const stateOverrides = { [caller]: { code, balance: "0x64" }, [callee]: { code: calleeCode } };
  const params = [{ to: caller, gas: "0x30d40" }, "latest", { tracer, stateOverrides, ...options }];
  return (await node.post(JSON.stringify({ jsonrpc: "2.0", id: 1, method: "debug_traceCall", params }))) as Answer;
}

const run = async (body: string, result: string, code?: Hex) =>
  trace(
    `{ seen: [], ${body}, fault: function(log) { this.seen.push("fault " + log.getError()) },
    result: function(ctx, db) { return ${result} } }`,
    code,
  );

describe("a JavaScript tracer", () => {
  it("sees every opcode", async () => {
    const body = "step: function(log) { this.seen.push(log.op.toString()) }";
    const { result } = await run(body, "this.seen", "0x6001600201");
    expect(result).toEqual(["PUSH1", "PUSH1", "ADD", "STOP"]);
  });

  it("sees frames with their gas, value, input and output", async () => {
    const body = `enter: function(frame) {
        this.seen.push([frame.getType(), toHex(frame.getFrom()), toHex(frame.getTo()), frame.getValue(), frame.getInput().length])
      },
      exit: function(left) { this.seen.push([toHex(left.getOutput()), left.getError(), left.getGasUsed()]) }`;
    const { result } = await run(body, "this.seen");
    expect(result).toEqual([
      ["STATICCALL", caller, callee, null, 0],
      [`0x${"2a".padStart(64, "0")}`, null, 18],
    ]);
  });

  it("reads stack, memory, contract and state", async () => {
    const body = `step: function(log, db) {
      if (log.op.toString() === "SSTORE") {
        const self = log.contract.getAddress();
        this.seen.push(log.stack.peek(0), log.stack.peek(1).add(1).toString(16), log.stack.length());
        this.seen.push(toHex(db.getState(self, toWord(log.stack.peek(0).toString(16)))), db.getBalance(self).toString());
        this.seen.push(db.getCode(self).length, db.getNonce(self), db.exists(toAddress("0xdead")), log.getDepth());
        this.seen.push(toHex(log.contract.getCaller()), log.contract.getValue(), log.contract.getInput().length);
      }
      if (log.op.toNumber() === 0xf3) this.seen.push(log.memory.length(), log.memory.getUint(0), toHex(log.memory.slice(30, 32)))
    }`;
    const { result } = await run(body, "this.seen.concat([toHex(db.getState(ctx.to, toWord('0x1')))])");
    const zero = `0x${"00".repeat(20)}`;
    expect(result).toEqual([
      ...["1", "8", 2, `0x${"00".repeat(32)}`, "100", (callerCode.length - 2) / 2, 0, false, 1],
      ...[zero, "0", 0, 32, "42", "0x002a", 32, "42", "0x002a", `0x${"07".padStart(64, "0")}`],
    ]);
  });

  it("knows the cost and the error of an opcode before it runs, as the struct logger does afterward", async () => {
    for (const code of [callerCode, "0x600160020160005260206000fd", "0x01", "0x620fffff600020", "0x600056"] as Hex[]) {
      const body = "step: function(log) { this.seen.push([log.getPC(), log.getGas(), log.getCost(), log.getError()]) }";
      const { result } = await run(body, "this.seen.filter((entry) => typeof entry !== 'string')", code);
      const struct = (await trace("structLog", code)).result as {
        structLogs: { pc: number; gas: number; gasCost: number; error?: string }[];
      };
      const toError = ({ error }: { error?: string }) => error ?? null;
      expect((result as unknown[][]).map(([pc, gas, , error]) => [pc, gas, error])).toEqual(
        struct.structLogs.map((log) => [log.pc, log.gas, toError(log)]),
      );
      const costs = struct.structLogs.map(({ gasCost, error }) => (error?.startsWith("stack") ? 0 : gasCost));
      expect(
        (result as unknown[][]).map(([, , cost, error]) => (String(error).startsWith("stack") ? 0 : cost)),
      ).toEqual(costs);
    }
  });

  it("reports the fault of a running opcode", async () => {
    const body = "step: function() {}";
    expect((await run(body, "this.seen", "0x60006000fd")).result).toEqual(["fault execution reverted"]);
    expect((await run(body, "[this.seen, ctx.error]", "0xfe")).result).toEqual([
      ["fault invalid opcode: INVALID"],
      "invalid opcode: INVALID",
    ]);
  });

  it("has geth's global functions and big integers", async () => {
    const list = [
      "toHex(toWord('0xffaa')).length",
      "toHex(toAddress([1, 2]))",
      "toHex(slice(toWord('0x0102'), 30, 32))",
      "isPrecompiled(toAddress('0x1'))",
      "isPrecompiled(ctx.to)",
      "toHex(toContract('0x6ac7ea33f8831ea9dcc53393aaa88b25a785dbf0', 1))",
      "toHex(toContract2('0xdeadbeef00000000000000000000000000000000', '0x0', '0x00'))",
      "bigInt('ff', 16).multiply(bigInt(2).pow(70)).toString()",
      "bigInt(7).divmod(2).remainder.equals(1) && bigInt(3).compare('4') < 0 && bigInt(5) + 1 === 6",
      "ctx.type + ' ' + ctx.gas + ' ' + ctx.gasUsed + ' ' + ctx.value + ' ' + ctx.block",
    ];
    const { result } = await run("step: function() {}", `[${list.join()}]`, "0x00");
    expect(result).toEqual([
      66,
      `0x${"0102".padStart(40, "0")}`,
      "0x0102",
      true,
      false,
      "0x343c43a37d37dff08ae8c4a11544c718abb4fcf8",
      "0xb928f69bb1d91cd65274e3c79d8986362984fda3",
      (255n * 2n ** 70n).toString(),
      true,
      "CALL 200000 21000 0 0",
    ]);
  });

  it("gets its options as JSON in setup", async () => {
    const tracer =
      "{ setup: function(cfg) { this.foo = JSON.parse(cfg).foo }, fault: function() {}, result: function() { return this.foo } }";
    expect((await trace(tracer, "0x00", { tracerConfig: { foo: "bar" } })).result).toBe("bar");
  });

  it("starts again for every transaction of a block", async () => {
    const tracer =
      "{ count: 0, step: function() { this.count++ }, fault: function() {}, result: function() { return this.count } }";
    const first = await trace(tracer);
    expect(first.result).toBeGreaterThan(10);
    expect(await trace(tracer)).toEqual(first);
  });
});

describe("the sandbox", () => {
  const evil = (step: string) =>
    trace(`{ step: function(log, db) { ${step} }, fault: function() {}, result: function() { return 1 } }`);

  it.each([
    ["an endless loop", "for (;;) {}"],
    ["an endless loop that catches its end", "for (;;) { try { for (;;) {} } catch (e) {} }"],
    ["an endless regular expression", "/^(a+)+$/.exec('a'.repeat(60) + '!')"],
    ["an endless native operation", "Array.prototype.indexOf.call({ length: 2 ** 52 }, 1)"],
  ])("ends %s at the time limit and runs the next tracer", async (_, step) => {
    expect((await evil(step)).error).toMatchObject({ code: -32005, data: { limit: "callTimeMs" } });
    expect(await evil("")).toMatchObject({ result: 1 });
  });

  it.each([
    ["too much memory", "this.all = []; for (;;) this.all.push(new Uint8Array(1e6))"],
    ["too many objects", "this.all = []; for (;;) this.all.push([], [], [], [])"],
    ["recursion", "(function f() { return f() + 1 })()"],
    ["recursion of native code", "JSON.parse('['.repeat(1e5))"],
    ["a stack position that doesn't exist", "log.stack.peek(-1)"],
    ["memory that doesn't exist", "log.memory.slice(-1, -2)"],
    ["endless memory", "log.memory.slice(0, 2 ** 40)"],
    ["caught errors of the host", "try { log.stack.peek(99) } catch (e) { return }"],
    ["a buffer of the wrong kind", "toHex(12)"],
    ["an unknown name", "process.exit()"],
    ["an import", "require('fs')"],
    ["thrown text", "throw 'x'.repeat(1e6)"],
  ])("turns %s into an error", async (_, step) => {
    const { error } = await evil(step);
    expect(error).toMatchObject({ code: -32000 });
    expect(error?.message).toMatch(/in server-side tracer function 'step'$/);
    expect(error!.message.length).toBeLessThan(500);
    expect(await evil("")).toMatchObject({ result: 1 });
  });

  it("gives scripts no access to the process", async () => {
    const names =
      "['process', 'require', 'fetch', 'console', 'setTimeout', 'WebAssembly', 'std', 'os', 'host'].filter((name) => name in globalThis)";
    expect((await run("step: function() {}", names, "0x00")).result).toEqual([]);
    const escaping = "(function () { return this.constructor.constructor('return typeof process')() })()";
    expect((await run("step: function() {}", escaping, "0x00")).result).toBe("undefined");
  });

  it.each([
    "{ step: function() {} }",
    "{ result: function() {}, fault: 1 }",
    "{ result() {}, fault() {}, enter() {} }",
    "{ a: }",
  ])("rejects %s, which is not a tracer", async (tracer) => {
    expect((await trace(tracer)).error).toMatchObject({ code: -32000 });
  });

  it("limits the size of a result", async () => {
    expect((await run("step: function() {}", "'x'.repeat(2e6)", "0x00")).error).toMatchObject({ code: -32005 });
  });

  it("doesn't run on a node without JavaScript tracers", async () => {
    const closed = await createTestNode({ areScriptsAllowed: false });
    try {
      const tracer = "{ fault: function() {}, result: function() { return 1 } }";
      const params = [{ to: caller }, "latest", { tracer }];
      const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "debug_traceCall", params });
      expect(await closed.post(body)).toMatchObject({ error: { code: -32000 } });
    } finally {
      await closed.close();
    }
  });
});
