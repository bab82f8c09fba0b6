/** Tests contracts' `console.log` calls on a real chain. */
import { concatHex, encodeAbiParameters, type Hex, parseAbiParameters, toFunctionSelector } from "viem";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { callAt } from "@/server/chain/calls";
import { openTestChain, removeFolder, type TestChain } from "@/server/chain/testing/testChain";
import { traceCallAt } from "@/server/chain/traces";
import type { Address } from "@/server/ethereum/types";
import { assemble } from "@/server/execution/testing/assemble";
import { getDecoder } from "@/server/explorer/decoder";
import { createConsoleLog } from "@/server/node/consoleLog";

const consoleAddress: Address = "0x000000000000000000636f6e736f6c652e6c6f67";
const logger: Address = `0x${"10".repeat(20)}`;
const failing: Address = `0x${"20".repeat(20)}`;
const looping: Address = `0x${"30".repeat(20)}`;

/** Copies the calldata to memory and pushes the arguments for a STATICCALL that passes it to the console. */
const logInput = assemble("CALLDATASIZE", 0, 0, "CALLDATACOPY", 0, 0, "CALLDATASIZE", 0, BigInt(consoleAddress), "GAS");
const code: Record<Address, Hex> = {
  // Returns the success flag and the size of the data that the console returned.
  [logger]: concatHex([logInput, assemble("STATICCALL", 0, "MSTORE", "RETURNDATASIZE", 32, "MSTORE", 64, 0, "RETURN")]),
  [failing]: concatHex([logInput, assemble("STATICCALL", 0, 0, "REVERT")]),
  // Logs in an endless loop until the gas is used up (JUMPDEST marks the start of the loop).
  [looping]: concatHex(["0x5b", logInput, assemble("STATICCALL", "POP", 0, "JUMP")]),
};

const logged = vi.spyOn(console, "error").mockImplementation(() => undefined);
let test: TestChain;
let nonce = 0;

beforeAll(async () => {
  test = await openTestChain({ isDeveloped: true, onConsole: createConsoleLog("devnet") });
  const edits = Object.entries(code).map(([address, code]) => ({ address: address as Address, code }));
  await test.chain.devControls?.edit(edits);
});
beforeEach(() => void logged.mockClear());
afterAll(async () => {
  await test.close();
  removeFolder(test.folder);
  logged.mockRestore();
});

function toInput(signature: string, types: string, values: unknown[]): Hex {
  const parameters = types === "" ? [] : parseAbiParameters(types);
  return concatHex([toFunctionSelector(signature), encodeAbiParameters(parameters, values as never)]);
}

const hello = toInput("log(string)", "string", ["hello"]);

const listLines = () => logged.mock.calls.map(([line]) => String(line).replace(/^\S+ /, ""));

async function mine(to: Address, data: Hex) {
  return test.mine(await test.sign(0, { nonce: nonce++, to, data, gas: 400_000n }));
}

describe("console.log", () => {
  it.each<[string, string, unknown[], string]>([
    ["log()", "", [], ""],
    ["log(string)", "string", ["hello"], "hello"],
    ["log(uint256)", "uint256", [7n], "7"],
    ["log(uint)", "uint256", [7n], "7"],
    ["log(int256)", "int256", [-7n], "-7"],
    ["log(int)", "int256", [-7n], "-7"],
    ["log(bytes4)", "bytes4", ["0x01020304"], "0x01020304"],
    ["log(string,uint,bool)", "string, uint256, bool", ["%d of %s:", 5n, true], "5 of true:"],
    [
      "log(string,address,string,uint256)",
      "string, address, string, uint256",
      ["a", logger, "b", 1n],
      `a ${logger} b 1`,
    ],
  ])("prints %s of a call", async (signature, types, values, text) => {
    const { output } = await callAt(test.chain, { call: { to: logger, input: toInput(signature, types, values) } });
    expect(output).toBe(encodeAbiParameters(parseAbiParameters("bool, uint256"), [true, 0n]));
    const shown = /^[\w.:/-]+$/.test(text) ? text : JSON.stringify(text);
    expect(listLines()).toEqual([`info console.log network=devnet text=${shown}`]);
  });

  it("prints one line for each log of a mined transaction, even if it reverts", async () => {
    const { transaction } = await mine(logger, hello);
    const reverted = await mine(failing, hello);
    expect(reverted.receipt.status).toBe(0);
    expect(listLines()).toEqual(
      [transaction.hash, reverted.transaction.hash].map(
        (hash) => `info console.log network=devnet transaction=${hash} text=hello`,
      ),
    );
  });

  it("uses the same gas whether or not it is recorded", async () => {
    const call = { to: logger, input: hello };
    const tracer = { tracer: "callTracer", onlyTopCall: false, withLog: false } as const;
    const recorded = await callAt(test.chain, { call });
    const traced = await traceCallAt(test.chain, { call, tracer });
    expect(recorded.gasUsed).toBe(traced.gasUsed);
    expect(listLines()).toHaveLength(1);
  });

  it("strips control and direction characters and limits each text", async () => {
    await mine(logger, toInput("log(string)", "string", [`\u202Eab\u0007\ninfo${"x".repeat(2_000)}`]));
    const [line = ""] = listLines();
    expect(line).toMatch(/text="ab infox+…"$/);
    expect(line.length).toBeLessThan(1_200);
  });

  it("prints at most 100 lines for a transaction and says that others are omitted", async () => {
    await mine(looping, hello);
    const lines = listLines();
    expect(lines).toHaveLength(101);
    expect(lines.at(-1)).toContain("further console.log calls are omitted");
  });

  it("prints nothing while logging is disabled", async () => {
    const { devControls } = test.chain;
    devControls!.setLogging(false);
    await mine(logger, hello);
    await callAt(test.chain, { call: { to: logger, input: hello } });
    expect(listLines()).toEqual([]);
    devControls!.setLogging(true);
    await mine(logger, hello);
    expect(listLines()).toHaveLength(1);
  });

  it("says so if the input is not a call of console.log", async () => {
    await callAt(test.chain, { call: { to: logger, input: "0x01020304" } });
    expect(listLines()).toEqual(['info console.log network=devnet text="(4 bytes that are not a console.log call)"']);
  });

  it("runs code that was placed at its address", async () => {
    await test.chain.devControls?.edit([{ address: consoleAddress, code: assemble(1, 0, "MSTORE", 32, 0, "RETURN") }]);
    const { output } = await callAt(test.chain, { call: { to: logger, input: hello } });
    expect(output).toBe(encodeAbiParameters(parseAbiParameters("bool, uint256"), [true, 32n]));
    expect(listLines()).toEqual([]);
    await test.chain.devControls?.edit([{ address: consoleAddress, code: "0x" }]);
  });
});

describe("a trace's call of console.log", () => {
  it("is decoded", () => {
    expect(getDecoder().decode({ kind: "call", data: hello })).toMatchObject([
      { signature: "log(string)", interfaces: ["console.log"], values: [{ value: "hello" }] },
    ]);
  });
});
