import { beforeAll, describe, expect, test } from "vitest";
import type { TracerConfig } from "@/server/evm/tracers/tracer";
import { hasRpcCompat, importChain, readExchanges, toEnv } from "@/server/execution/testing/rpcCompat";
import { executeTraceBlock } from "@/server/execution/traceBlock";

type Flags = { enableMemory?: boolean; disableStack?: boolean; disableStorage?: boolean; enableReturnData?: boolean };

describe.skipIf(!hasRpcCompat)("matches the recorded struct logs of a public chain", () => {
  let chain: Awaited<ReturnType<typeof importChain>>;
  beforeAll(async () => {
    chain = await importChain();
  });

  function trace(number: number, flags: Flags = {}, index?: number) {
    const block = chain.blocks[number - 1]!;
    const tracer: TracerConfig = {
      tracer: "structLog",
      enableMemory: false,
      disableStack: false,
      disableStorage: false,
      enableReturnData: false,
      limit: 0,
      ...flags,
    };
    const { spec, store } = chain;
    return executeTraceBlock(
      {
        kind: "traceBlock",
        spec,
        env: toEnv(block.header),
        parent: number - 1,
        transactions: block.transactions,
        ...(index === undefined ? {} : { trace: [index] }),
        tracer,
      },
      store,
    );
  }

  test.each(recorded("debug_traceBlockByNumber"))("$name", async ({ request, response }) => {
    const [number, flags] = request.params as [string, Flags | undefined];
    const { traces } = await trace(Number(number), flags);
    expect(traces.map(({ hash, trace }) => ({ txHash: hash, result: trace }))).toEqual(response.result);
  });

  test.each(recorded("debug_traceTransaction"))("$name", async ({ request, response }) => {
    const [hash, flags] = request.params as [string, Flags | undefined];
    const block = chain.blocks.find(({ transactions }) => transactions.some((each) => each.hash === hash))!;
    const index = block.transactions.findIndex((each) => each.hash === hash);
    const { traces } = await trace(block.header.number, flags, index);
    expect(traces.map((each) => each.trace)).toEqual([response.result]);
  });
});

function recorded(method: string) {
  return hasRpcCompat ? readExchanges(method).filter(({ response }) => response.result) : [];
}
