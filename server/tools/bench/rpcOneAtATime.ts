/**
 * Measures operations one at a time over one connection, like the operations in a test suite. Every operation ends when
 * its effect can be read. Figures are milliseconds per operation.
 */
import { type Hex, numberToHex } from "viem";
import artifact from "@/server/contracts/artifacts/Token.json" with { type: "json" };
import { token } from "@/server/tools/bench/exactTerms";
import { median, toMarkdown } from "@/server/tools/bench/report";
import { senders, signCall, toTransferData } from "@/server/tools/bench/rpcChain";
import { openConnection } from "@/server/tools/bench/rpcLoad";
import type { RpcSide } from "@/server/tools/bench/rpcSides";
import { payee } from "@/server/tools/bench/sides";

type Rpc = (method: string, params?: unknown[]) => Promise<unknown>;
/** An operation and its preparation, such as signing. Only the function that `prepare` returns is measured. */
type Operation = { name: string; prepare(rpc: Rpc): Promise<() => Promise<unknown>> };
type Figures = { ms: number[]; cpuMs: number[] };

/** How many times each operation runs per round. */
const perRound = 25;
const [native, holder, deployer, reverter] = senders;

async function getReceipt(rpc: Rpc, hash: unknown): Promise<void> {
  for (;;) {
    const receipt = (await rpc("eth_getTransactionReceipt", [hash])) as { status: Hex } | null;
    if (receipt?.status === "0x0") throw new Error(`Transaction ${hash} failed.`);
    if (receipt) return;
  }
}

const toNonce = async (rpc: Rpc, account: { address: Hex }) =>
  Number(await rpc("eth_getTransactionCount", [account.address, "latest"]));

type Call = { to?: Hex; data?: Hex; value?: bigint; gas: bigint };

/** Sends a signed transaction and reads its receipt. */
const toSend = (name: string, account: (typeof senders)[number], call: Call): Operation => ({
  name,
  async prepare(rpc) {
    const raw = await signCall(account, { ...call, nonce: await toNonce(rpc, account) });
    return async () => getReceipt(rpc, await rpc("eth_sendRawTransaction", [raw]));
  },
});

const transfer: Call = { to: payee, value: 1n, gas: 21_000n };

const operations: Operation[] = [
  toSend("native transfer with its receipt", native!, transfer),
  toSend("token transfer with its receipt", holder!, { to: token, data: toTransferData(1n), gas: 100_000n }),
  toSend("deploying a token with its receipt", deployer!, { data: artifact.bytecode as Hex, gas: 5_000_000n }),
  {
    name: "eth_sendTransaction with its receipt",
    async prepare(rpc) {
      const [from] = (await rpc("eth_accounts")) as Hex[];
      return async () =>
        getReceipt(rpc, await rpc("eth_sendTransaction", [{ from, to: payee, value: "0x1", gas: "0x5208" }]));
    },
  },
  { name: "evm_mine", prepare: async (rpc) => () => rpc("evm_mine") },
  {
    name: "evm_increaseTime and evm_mine",
    prepare: async (rpc) => async () => {
      await rpc("evm_increaseTime", [1]);
      await rpc("evm_mine");
    },
  },
  {
    name: "anvil_setBalance",
    prepare: async (rpc) => () => rpc("anvil_setBalance", [payee, numberToHex(Math.ceil(performance.now() * 1_000))]),
  },
  {
    name: "evm_snapshot, three transfers with receipts, evm_revert",
    async prepare(rpc) {
      const nonce = await toNonce(rpc, reverter!);
      const raws = await Promise.all(
        [0, 1, 2].map((next) => signCall(reverter!, { ...transfer, nonce: nonce + next })),
      );
      return async () => {
        const snapshot = await rpc("evm_snapshot");
        for (const raw of raws) await getReceipt(rpc, await rpc("eth_sendRawTransaction", [raw]));
        if (!(await rpc("evm_revert", [snapshot]))) throw new Error("The snapshot is gone.");
      };
    },
  },
];

/** Creates a client with one keep-alive connection. */
async function connect(side: RpcSide): Promise<{ rpc: Rpc; close(): void }> {
  const connection = await openConnection(side);
  return {
    async rpc(method, params = []) {
      const text = await connection.postText(JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }));
      const { result, error } = JSON.parse(text) as { result?: unknown; error?: { message: string } };
      if (error) throw new Error(`${side.name} responds to ${method}: ${error.message}`);
      return result;
    },
    close: connection.close,
  };
}

async function measure(side: RpcSide, { prepare }: Operation, figures: Figures): Promise<void> {
  const { rpc, close } = await connect(side);
  try {
    let cpuSeconds = 0;
    for (let count = 0; count < perRound; count++) {
      const run = await prepare(rpc);
      const cpuBefore = side.cpuSeconds();
      const startMs = performance.now();
      await run();
      figures.ms.push(performance.now() - startMs);
      cpuSeconds += side.cpuSeconds() - cpuBefore;
    }
    figures.cpuMs.push((cpuSeconds * 1_000) / perRound);
  } finally {
    close();
  }
}

const toMs = (figures: number[]) => median(figures).toFixed(2);

/** Builds a table of medians. The last side is the baseline. */
export async function measureOneAtATime(
  sides: readonly RpcSide[],
  { rounds, isChosen }: { rounds: number; isChosen(name: string): boolean },
): Promise<string> {
  for (const side of sides) {
    const [account] = (await side.rpc("eth_accounts", [])) as Hex[];
    await side.rpc("anvil_setBalance", [account, numberToHex(10n ** 24n)]);
  }
  const lines: string[][] = [];
  for (const operation of operations.filter(({ name }) => isChosen(name))) {
    const bySide = sides.map((): Figures => ({ ms: [], cpuMs: [] }));
    // The first round is a warm-up.
    for (const side of sides) await measure(side, operation, { ms: [], cpuMs: [] });
    for (let round = 0; round < rounds; round++) {
      for (const [at, side] of sides.entries()) await measure(side, operation, bySide[at]!);
    }
    const base = bySide.at(-1)!;
    const cells = bySide.flatMap(({ ms, cpuMs }, at) =>
      at === sides.length - 1
        ? [toMs(ms), toMs(cpuMs)]
        : [toMs(ms), (median(ms) / median(base.ms)).toFixed(2), toMs(cpuMs)],
    );
    lines.push([operation.name, ...cells]);
    process.stderr.write(`${lines.at(-1)!.join(" | ")}\n`);
  }
  const head = sides.flatMap(({ name }, at) =>
    at === sides.length - 1 ? [`${name}, ms`, "CPU ms"] : [`${name}, ms`, `to ${sides.at(-1)!.name}`, "CPU ms"],
  );
  return toMarkdown([["One operation at a time", ...head], ...lines]);
}
