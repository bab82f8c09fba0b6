/**
 * A case for the EVM fuzzer and its outcome, in a form that lets any two engines be compared. Invariant: a case
 * contains everything that the outcome depends on.
 */

import type { Message } from "@/server/ethereum/message";
import type { ForkName } from "@/server/ethereum/spec";
import type { Address, GenesisAccount, Hash, Hex, Log } from "@/server/ethereum/types";
import type { BlockEnv } from "@/server/ports/executor";

export type EvmCase = {
  fork: ForkName;
  env: BlockEnv;
  world: Record<Address, GenesisAccount>;
  message: Message;
};

export type WorldState = Map<Address, { balance: bigint; nonce: bigint; codeHash: Hash; storage: Map<Hash, Hash> }>;

export type EvmOutcome =
  | { refusal: string }
  | {
      /** `halt` covers every failure that uses up all gas. */
      status: "success" | "revert" | "halt";
      /** `gasSpent` is the gas used before refunds; `gasUsed` is the amount that is paid for. */
      gasSpent: bigint;
      gasUsed: bigint;
      output: Hex;
      logs: Log[];
      state: WorldState;
      /**
       * The gas that would have been enough, according to the engine; only set if the comparison includes it. "looks"
       * means that the engine can't tell, because the run depends on its gas.
       */
      gasNeeded?: bigint | "looks" | undefined;
    };

export type EvmRun = (evmCase: EvmCase) => Promise<EvmOutcome>;

/** The outcome as readable text; equal outcomes give equal texts. */
export function toText(outcome: EvmOutcome): string {
  if ("refusal" in outcome) return `refused: ${outcome.refusal}`;
  const { status, gasSpent, gasUsed, output, logs, state } = outcome;
  const lines = [`${status} spent ${gasSpent} used ${gasUsed}`, `output ${output}`];
  if (outcome.gasNeeded !== undefined) lines.push(`needed ${outcome.gasNeeded}`);
  for (const { address, topics, data } of logs) lines.push(`log ${address} [${topics.join(" ")}] ${data}`);
  for (const [address, account] of [...state].sort(([a], [b]) => (a < b ? -1 : 1))) {
    lines.push(`${address} nonce ${account.nonce} balance ${account.balance} code ${account.codeHash}`);
    for (const [slot, value] of [...account.storage].sort(([a], [b]) => (a < b ? -1 : 1)))
      lines.push(`  ${slot} ${value}`);
  }
  return lines.join("\n");
}
