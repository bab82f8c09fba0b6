/**
 * Reports native transfers as logs (eth_simulateV1's `traceTransfers`), merged with the contracts' logs in execution
 * order. Leaves out the transfers and logs of failed frames.
 */
import { toWord } from "@/server/ethereum/codec/bytes";
import type { Address, Hash, Hex, Log } from "@/server/ethereum/types";

/** The fields of a call tracer's frame that this file uses. */
export type TracedFrame = {
  type: string;
  from: Address;
  to?: Address;
  value?: Hex;
  error?: string;
  calls?: TracedFrame[];
  /** `position` is the number of subcalls that came before the log. */
  logs?: { address: Address; topics: Hash[]; data: Hex; position: Hex }[];
};

/** The address that appears to emit the logs of native transfers. No account uses it (ERC-7528). */
const coin: Address = `0x${"ee".repeat(20)}`;
/** keccak256("Transfer(address,address,uint256)") */
const transferTopic: Hash = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";

/** A log and its index. Indexes start at `firstIndex`. */
export type IndexedLog = { log: Log; index: number };

/** The logs of a frame and its subcalls. Indexes also count the logs of failed frames, as in geth. */
export function toTransferLogs(root: TracedFrame, firstIndex: number): { logs: IndexedLog[]; nextIndex: number } {
  const logs: IndexedLog[] = [];
  let nextIndex = firstIndex;
  const add = (log: Log, isKept: boolean) => {
    if (isKept) logs.push({ log, index: nextIndex });
    nextIndex += 1;
  };
  const walk = (frame: TracedFrame, isAboveKept: boolean) => {
    const isKept = isAboveKept && frame.error === undefined;
    const value = BigInt(frame.value ?? "0x0");
    if (frame.type !== "DELEGATECALL" && value > 0n && frame.to !== undefined) {
      const topics = [transferTopic, toWord(BigInt(frame.from)), toWord(BigInt(frame.to))];
      add({ address: coin, topics, data: toWord(value) }, isKept);
    }
    const calls = frame.calls ?? [];
    let next = 0;
    for (const { position, address, topics, data } of frame.logs ?? []) {
      while (next < Number(position)) walk(calls[next++]!, isKept);
      add({ address, topics, data }, isKept);
    }
    while (next < calls.length) walk(calls[next++]!, isKept);
  };
  walk(root, true);
  return { logs, nextIndex };
}
