/**
 * Finds the transaction that emitted a known event. Searches backward from the newest block, in ranges small enough for
 * public nodes.
 */
import type { Hex } from "@/lib/x402/types";
import type { Reader, WireLog } from "@/server/x402/reads/reader";

const windowBlocks = 100n;
const maxWindows = 50;

/**
 * Finds the newest transaction in the latest 5,000 blocks that emitted the event and that `accept` approves. Throws
 * NetworkError.
 */
export async function findLogTransaction(
  reader: Reader,
  event: { address: Hex; topics: readonly Hex[] },
  accept: (transaction: Hex) => Promise<boolean> = async () => true,
): Promise<Hex | undefined> {
  let to = await reader.getBlockNumber();
  for (let turn = 0; turn < maxWindows && to >= 0n; turn++, to -= windowBlocks) {
    const from = to >= windowBlocks ? to - windowBlocks + 1n : 0n;
    const filter = { ...event, fromBlock: `0x${from.toString(16)}`, toBlock: `0x${to.toString(16)}` };
    const logs = (await reader.ask("eth_getLogs", filter)) as WireLog[];
    for (const { transactionHash } of logs.reverse()) if (await accept(transactionHash)) return transactionHash;
  }
  return undefined;
}
