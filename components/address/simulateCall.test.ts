/** Tests how a call is simulated, including on nodes without eth_simulateV1. */
import { expect, it } from "vitest";
import { simulateCall } from "@/components/address/simulateCall";
import type { Source } from "@/lib/query/source";
import { RpcError } from "@/lib/rpc/client";

const from = `0x${"11".repeat(20)}` as const;
const call = { from, to: from, data: "0x12345678", value: 5n } as const;

/** Creates a node that supports only these methods. */
function toSource(answers: Record<string, () => unknown>): Source {
  return {
    network: "testnet",
    request: async ({ method }) => {
      const answer = answers[method];
      if (!answer) throw new RpcError(-32601, "the method does not exist");
      return answer() as never;
    },
  };
}

it("returns a simulated call's revert data and message", async () => {
  const error = { code: 3, message: "execution reverted", data: "0xdeadbeef" };
  const calls = [{ status: "0x0", returnData: "0xdeadbeef", gasUsed: "0x10", logs: [], error }];
  expect(await simulateCall(toSource({ eth_simulateV1: () => [{ calls }] }), call)).toEqual({
    succeeds: false,
    returned: "0xdeadbeef",
    gasUsed: 16n,
    logs: [],
    message: "execution reverted",
  });
});

it("calls and estimates on a node that can't simulate", async () => {
  const source = toSource({ eth_call: () => "0x01", eth_estimateGas: () => "0x5208" });
  expect(await simulateCall(source, call)).toEqual({
    succeeds: true,
    returned: "0x01",
    gasUsed: 21_000n,
    logs: undefined,
  });
});

it("reads the reason of a revert from eth_call", async () => {
  const source = toSource({
    eth_call: () => {
      throw new RpcError(3, "execution reverted: no", "0x08c379a0");
    },
  });
  expect(await simulateCall(source, call)).toMatchObject({ succeeds: false, returned: "0x08c379a0" });
});

it("rejects if the node can't run the call", async () => {
  const refuse = () => {
    throw new RpcError(-38014, "insufficient funds");
  };
  const source = toSource({ eth_simulateV1: refuse, eth_call: refuse });
  await expect(simulateCall(source, call)).rejects.toThrow("insufficient funds");
});
