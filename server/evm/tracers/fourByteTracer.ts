/** geth's 4byteTracer, which counts calls by function selector and size of the arguments. */
import { opcodes } from "@/lib/opcodes";
import type { Address } from "@/server/ethereum/types";
import { createRunBudget, type TraceBudget } from "@/server/evm/tracers/budget";
import type { Tracer } from "@/server/evm/tracers/tracer";

const creations: ReadonlySet<number> = new Set([opcodes.CREATE, opcodes.CREATE2]);

export function createFourByteTracer(limit: TraceBudget, isPrecompile: (address: Address) => boolean): Tracer {
  const budget = createRunBudget(limit);
  const counts = new Map<string, number>();
  return {
    listener: {
      watch: [],
      begin() {
        counts.clear();
        budget.restart();
      },
      enter({ op, to, input }) {
        const isCall = !creations.has(op) && to && !isPrecompile(to);
        if (!isCall || input.length < 10) return;
        const id = `${input.slice(0, 10)}-${(input.length - 10) / 2}`;
        if (!counts.has(id)) budget.take(id.length + 6);
        counts.set(id, (counts.get(id) ?? 0) + 1);
      },
    },
    async finish() {
      return Object.fromEntries([...counts].sort(([a], [b]) => (a < b ? -1 : 1)));
    },
  };
}
