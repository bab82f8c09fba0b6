/** Tests the tracer that ERC-4337 bundlers use, against a real chain. The expectations follow geth's source. */
import { concatHex, type Hex, toHex } from "viem";
import { afterAll, beforeAll, expect, it } from "vitest";
import { assemble } from "@/server/execution/testing/assemble";
import { createTestNode, type TestNode } from "@/server/rpc/testing/testNode";

let node: TestNode;
beforeAll(async () => {
  node = await createTestNode();
});
afterAll(() => node?.close());

const account = "0x1111111111111111111111111111111111111111";
const callee = "0x2222222222222222222222222222222222222222";
const word = (value: number) => toHex(value, { size: 32 });

type Usage = { usedOpcodes: Record<string, number>; calls?: Usage[]; keccak?: Hex[] };

async function trace(code: Hex, tracerConfig: object = {}, calleeCode: Hex = "0x5b00"): Promise<Usage> {
  const state = { [word(5)]: word(9) };
  const stateOverrides = { [account]: { code, state }, [callee]: { code: calleeCode } };
  const options = { tracer: "erc7562Tracer", tracerConfig, stateOverrides };
  const params = [{ to: account, gas: "0x30d40" }, "latest", options];
  const { result, error } = (await node.post(
    JSON.stringify({ jsonrpc: "2.0", id: 1, method: "debug_traceCall", params }),
  )) as { result: Usage; error?: { message: string } };
  if (error) throw new Error(error.message);
  return result;
}

it("lists the slots that a frame read before writing them, and counts its writes", async () => {
  const code = assemble(5, "SLOAD", 5, "SLOAD", 1, 6, "SSTORE", 6, "SLOAD", 7, "TLOAD", 2, 8, "TSTORE", 3, 8, "TSTORE");
  expect(await trace(code)).toMatchObject({
    type: "CALL",
    to: account,
    accessedSlots: {
      reads: { [word(5)]: [word(9)] },
      writes: { [word(6)]: 1 },
      transientReads: { [word(7)]: 1 },
      transientWrites: { [word(8)]: 2 },
    },
    outOfGas: false,
  });
});

it("counts opcodes except ignored ones, and GAS only if no call follows", async () => {
  const code = assemble("GAS", "POP", 0, 0, 0, 0, 0, BigInt(callee), "GAS", "CALL", "TIMESTAMP", 1, "ADD");
  const { usedOpcodes, calls } = await trace(code);
  expect(usedOpcodes).toEqual({ "0x5a": 1, "0xf1": 1, "0x42": 1, "0x0": 1 });
  expect(calls?.map((call) => call.usedOpcodes)).toEqual([{ "0x5b": 1, "0x0": 1 }]);
  expect((await trace(assemble("TIMESTAMP", 1, "ADD"), { ignoredOpcodes: ["0x42", "0x0"] })).usedOpcodes).toEqual({
    "0x60": 1,
    "0x1": 1,
  });
});

it("lists accounts whose code was read, except to check that it exists, and the size of their code", async () => {
  const code = assemble(
    ...([BigInt(callee), "EXTCODESIZE", "ISZERO", BigInt(callee), "EXTCODEHASH", "POP", 1, "EXTCODESIZE"] as const),
    "STOP",
  );
  expect(await trace(code)).toMatchObject({
    extCodeAccessInfo: [callee, `0x${"01".padStart(40, "0")}`],
    contractSize: { [callee]: { contractSize: 2, opcode: 0x3b } },
  });
});

it("marks frames that ran out of gas, and returns preimages in the first frame and, on request, logs", async () => {
  const call = assemble(0, 0, 0, 0, 0, BigInt(callee), 100, "CALL");
  const code = concatHex([call, assemble(7, 0, "MSTORE", 32, 0, "KECCAK256", 0, 0, "KECCAK256", 0, 0, "LOG0")]);
  expect(await trace(code, { withLog: true }, assemble(0, "SLOAD"))).toMatchObject({
    outOfGas: false,
    keccak: ["0x", word(7)],
    logs: [{ address: account, data: "0x" }],
    calls: [{ outOfGas: true, error: "out of gas" }],
  });
});

it("adds a frame for a self-destruct", async () => {
  const { calls } = await trace(assemble(BigInt(callee), "SELFDESTRUCT"));
  expect(calls).toMatchObject([{ type: "SELFDESTRUCT", usedOpcodes: {} }]);
});
