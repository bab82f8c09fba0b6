/** Tests that, for transactions that arrive together, a real worker thread recovers the same senders as the decoder. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { createSenderRecovery } from "@/server/chain/senderRecovery";
import { toBytes } from "@/server/ethereum/codec/bytes";
import { decodeNetworkTransaction } from "@/server/ethereum/codec/networkTransaction";
import { ExecutorClosedError } from "@/server/ethereum/errors";
import { createExecutor } from "@/server/execution/pool";
import type { Executor } from "@/server/ports/executor";
import { developer } from "@/server/rpc/testing/fixedChain";

let executor: Executor;
let raws: Uint8Array[];
let batches: number[];

/** The executor, except that it also records the sizes of the batches that are sent to a thread. */
const counting = (): Pick<Executor, "run"> => ({
  run(job, options) {
    if (job.kind === "recoverSenders") batches.push(job.raws.length);
    return executor.run(job, options);
  },
});

beforeAll(async () => {
  executor = createExecutor({ location: { kind: "sqlite", file: "/nonexistent" } });
  const fees = { maxFeePerGas: 10n ** 10n, maxPriorityFeePerGas: 1n, gas: 21_000n };
  const signed = Array.from({ length: 20 }, (_, at) =>
    developer(at % 3).signTransaction({ chainId: 1, nonce: at, to: developer(0).address, ...fees }),
  );
  raws = (await Promise.all(signed)).map((raw) => toBytes(raw));
});
afterAll(() => executor?.close());

it("recovers the senders of large batches in a worker thread once it runs, and leaves the rest to the decoder", async () => {
  batches = [];
  const findSender = createSenderRecovery(counting());
  // These transactions start the thread but don't wait for it.
  expect(await Promise.all(raws.map(findSender))).toEqual(raws.map(() => undefined));
  expect(batches).toEqual([0]);
  await executor.run({ kind: "recoverSenders", raws: [] });
  const all = [...raws, Uint8Array.of(2, 0xc0), Uint8Array.of(), raws[0]!.subarray(0, 50)];
  const expected = raws.map((raw) => decodeNetworkTransaction(raw).transaction.from);
  expect(await Promise.all(all.map(findSender))).toEqual([...expected, undefined, undefined, undefined]);
  expect(await findSender(raws[0]!)).toBeUndefined();
  expect(batches).toEqual([0, all.length]);
});

it("returns undefined without waiting if the worker thread cannot start", async () => {
  let isOpen = true;
  const findSender = createSenderRecovery({
    run: (job, options) => (isOpen ? executor.run(job, options) : Promise.reject(new ExecutorClosedError())),
  });
  await Promise.all(raws.map(findSender));
  await executor.run({ kind: "recoverSenders", raws: [] });
  isOpen = false;
  expect(await Promise.all(raws.map(findSender))).toEqual(raws.map(() => undefined));
});
