/**
 * Measures rows of the JSON-RPC benchmarks on nodes with the same contents. The nodes take turns on each row, so that
 * other work on the machine affects them equally. Each result is a rate per second: of responses, transactions or millions of gas.
 */
import type { Hex } from "viem";
import { pause } from "@/lib/pause";
import { token } from "@/server/tools/bench/exactTerms";
import { median, toText } from "@/server/tools/bench/report";
import { type BenchChain, senders, signCall, signPaymentData } from "@/server/tools/bench/rpcChain";
import { runAll, runLoad } from "@/server/tools/bench/rpcLoad";
import { type Row, rows, toBody } from "@/server/tools/bench/rpcRows";
import type { RpcSide } from "@/server/tools/bench/rpcSides";
import { payee, payers } from "@/server/tools/bench/sides";

export type Measured = { side: RpcSide; chain: BenchChain; figures: Map<string, number[]> };
/** A bare server has no chain, so it is measured only in rows that are mostly transport. */
const hasChain = ({ side }: Measured) => !side.isBare;
export type Effort = {
  rounds: number;
  durationMs: number;
  /** Whether time means clock time or the node's CPU time. On a busy machine, CPU time is more reliable. */
  per: "clock" | "processor";
  isChosen(name: string): boolean;
};

export const connections = 64;
/** For rows that mine transactions: how many are sent in one round. */
const minedPerRound = 1_000;

export function note({ figures }: Measured, row: string, figure: number): void {
  figures.set(row, [...(figures.get(row) ?? []), figure]);
}

/** Returns responses per second, or millions of gas per second for rows that have `gasOf`. */
async function measureRow({ side, chain }: Measured, row: Row, { durationMs, per }: Effort): Promise<number> {
  const gas = row.gasOf ? Number(await side.rpc("eth_estimateGas", row.gasOf(chain))) : 1;
  const bodies = [toBody(row.method, row.params(chain))];
  const cpuBefore = side.cpuSeconds();
  const load = await runLoad(side, bodies, { connections: row.connections ?? connections, durationMs });
  const seconds = per === "clock" ? load.seconds : side.cpuSeconds() - cpuBefore;
  return (load.answers * gas) / seconds / (row.gasOf ? 1e6 : 1);
}

type Kind = "native" | "EIP-3009";

/** Signs the next transactions for every sender. Both sides get the same ones. */
async function signRound(kind: Kind, round: number, firstNonce: number): Promise<Hex[]> {
  const each = Math.ceil(minedPerRound / senders.length);
  const raws: Hex[] = [];
  for (let index = 0; index < each; index++) {
    for (const [which, account] of senders.entries()) {
      const nonce = firstNonce + index;
      if (kind === "native") raws.push(await signCall(account, { to: payee, value: 1n, nonce, gas: 21_000n }));
      else {
        const data = await signPaymentData(payers[which]!, 1_000_000 + (round * each + index) * 100 + which);
        raws.push(await signCall(account, { to: token, data, nonce, gas: 200_000n }));
      }
    }
  }
  return raws;
}

/**
 * Measures how many transactions are mined per second. The time starts when the first one is sent, and ends when the
 * latest state reflects all of them.
 */
async function measureMined(
  { side }: Measured,
  raws: readonly Hex[],
  nonceAfter: number,
  { per }: Effort,
): Promise<number> {
  const startMs = performance.now();
  const cpuBefore = side.cpuSeconds();
  const bodies = raws.map((raw) => toBody("eth_sendRawTransaction", [raw]));
  await runAll(side, bodies, connections);
  for (const { address } of senders) {
    while (Number(await side.rpc("eth_getTransactionCount", [address, "latest"])) < nonceAfter) await pause(2);
  }
  const seconds = per === "clock" ? (performance.now() - startMs) / 1000 : side.cpuSeconds() - cpuBefore;
  return raws.length / seconds;
}

/** Measures every selected row once per round. */
export async function measureAll(sides: Measured[], effort: Effort): Promise<void> {
  const { rounds, isChosen } = effort;
  for (const row of rows.filter(({ name }) => isChosen(name))) {
    const measured = row.isTransport ? sides : sides.filter(hasChain);
    // Warms up the nodes, so that loading and compiling are not measured.
    for (const each of measured) await measureRow(each, row, effort);
    for (let round = 0; round < rounds; round++) {
      for (const each of measured) note(each, row.name, await measureRow(each, row, effort));
    }
    const summary = measured.map(({ side, figures }) => `${side.name} ${toText(median(figures.get(row.name) ?? []))}`);
    process.stderr.write(`${row.name}: ${summary.join(", ")}\n`);
  }
  let nonce = 0;
  for (const kind of ["native", "EIP-3009"] as const) {
    const name = `eth_sendRawTransaction until mined, ${kind} transfers`;
    if (!isChosen(name)) continue;
    for (let round = 0; round < rounds + 1; round++) {
      const raws = await signRound(kind, round, nonce);
      nonce += raws.length / senders.length;
      for (const each of sides.filter(hasChain)) {
        const figure = await measureMined(each, raws, nonce, effort);
        // The first round is a warm-up.
        if (round > 0) note(each, name, figure);
      }
    }
  }
}
