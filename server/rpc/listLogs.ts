/** Finds the logs in a block or range that match a filter, with limits on blocks and results. */
import type { LogFilterInput } from "@/lib/rpc/inputs";
import { methods } from "@/lib/rpc/methods";
import type { WireLog } from "@/lib/rpc/shapes";
import type { Limits } from "@/server/config/config";
import { encodeLog } from "@/server/rpc/encode";
import { toInvalidParams, toLimitExceeded } from "@/server/rpc/errors";
import { toJsonText } from "@/server/rpc/jsonText";
import { type BlockSource, findNumber } from "@/server/rpc/lookup";
import { findLogTexts } from "@/server/rpc/packedLogs";
import type { Ports } from "@/server/rpc/ports";

type LogSource = BlockSource & Pick<Ports, "recentBlocks" | "serves"> & { limits: Limits };

/** If `blocks * (filter values + 1)` is at most this, reading all recent logs is faster than reading the index. */
const maxScan = 200;

/**
 * Rejects block numbers beyond the head, so an empty result always means that no logs match. But if dev controls are on,
 * a range that ends beyond the head ends at the head, as in anvil and Hardhat's node.
 */
async function toLogRange({ chain, limits, serves }: LogSource, range: LogFilterInput["range"]) {
  if ("blockHash" in range) {
    const number = await chain.resolve({ hash: range.blockHash });
    return { fromBlock: number, toBlock: number };
  }
  const latest = { tag: "latest" } as const;
  const fromBlock = await findNumber(chain, range.from ?? latest);
  const toBlock =
    (await findNumber(chain, range.to ?? latest)) ??
    (serves(methods.evm_mine) ? await chain.resolve(latest) : undefined);
  if (fromBlock === undefined || toBlock === undefined) {
    throw toInvalidParams("block range extends beyond current head block");
  }
  if (fromBlock > toBlock) throw toInvalidParams("invalid block range params: fromBlock is after toBlock");
  const span = toBlock - fromBlock + 1;
  if (span > limits.logBlocks) {
    throw toLimitExceeded(
      "logBlocks",
      `a range of ${span} blocks exceeds the limit of ${limits.logBlocks}: narrow the block range`,
    );
  }
  return { fromBlock, toBlock };
}

/** The matching logs as JSON; undefined if the store has to be read. */
function findRecentTexts(
  { recentBlocks }: LogSource,
  range: { fromBlock: number; toBlock: number },
  { addresses = [], topics }: LogFilterInput,
  limit: number,
): string[] | undefined {
  const values = addresses.length + topics.reduce((sum, each) => sum + (each?.length ?? 0), 0);
  if ((range.toBlock - range.fromBlock + 1) * (values + 1) > maxScan) return undefined;
  const blocks = recentBlocks.findLogs(range);
  return blocks && findLogTexts(blocks, { addresses, topics }, limit);
}

function assertFew(found: number, { logResults }: Limits): void {
  if (found <= logResults) return;
  const why = `the query matches more than ${logResults} logs: narrow the block range or topics`;
  throw toLimitExceeded("logResults", why);
}

export async function listLogs(source: LogSource, filter: LogFilterInput): Promise<WireLog[]> {
  const { blocks, limits } = source;
  const range = await toLogRange(source, filter.range);
  const limit = limits.logResults + 1;
  const texts = findRecentTexts(source, range, filter, limit);
  if (texts) {
    assertFew(texts.length, limits);
    // Concatenates instead of calling join(), so that a long response is copied only once, after its envelope has been
    // added.
    let list = "";
    for (const text of texts) list += list === "" ? text : `,${text}`;
    return toJsonText(`[${list}]`);
  }
  const logs = await blocks.listLogs({
    ...range,
    ...(filter.addresses ? { addresses: filter.addresses } : {}),
    topics: filter.topics,
    limit,
  });
  assertFew(logs.length, limits);
  return logs.map(encodeLog);
}
