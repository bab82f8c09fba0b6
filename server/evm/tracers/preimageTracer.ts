/** Records the inputs of KECCAK256 that can name storage slots. The trace is a list of them, each once, in hex. */
import { opcodes } from "@/lib/opcodes";
import type { Hex } from "@/server/ethereum/types";
import { createRunBudget, type TraceBudget } from "@/server/evm/tracers/budget";
import { readMemory } from "@/server/evm/tracers/step";
import type { Tracer } from "@/server/evm/tracers/tracer";

/**
 * An array hashes its slot. A mapping also hashes its key, which is a word unless it is a string or bytes. Longer keys
 * are rare, and longer inputs are usually signed messages.
 */
const fewestBytes = 32n;
const mostBytes = 160n;

export function createPreimageTracer(limit: TraceBudget): Tracer {
  const budget = createRunBudget(limit);
  const preimages = new Set<Hex>();
  return {
    listener: {
      watch: [opcodes.KECCAK256],
      begin() {
        preimages.clear();
        budget.restart();
      },
      step(shown) {
        const length = shown.peek(1);
        if (length < fewestBytes || length > mostBytes) return;
        const preimage = readMemory(shown, shown.peek(0), length);
        if (preimages.has(preimage)) return;
        budget.take(preimage.length);
        preimages.add(preimage);
      },
    },
    finish: async () => [...preimages],
  };
}
