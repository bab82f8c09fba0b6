/** Finds the logs in a block or range that match a filter, with limits on blocks and results. */
import type { LogFilterInput } from "@/lib/rpc/inputs";
import type { Limits } from "@/server/config/config";
import { encodeLog } from "@/server/rpc/encode";
import { toInvalidParams, toLimitExceeded } from "@/server/rpc/errors";
import { type BlockSource, findNumber } from "@/server/rpc/lookup";

type LogSource = BlockSource & { limits: Limits };

/** Rejects block numbers beyond the head. So an empty result always means that there are no matching logs. */
async function toLogRange({ chain, limits }: LogSource, range: LogFilterInput["range"]) {
  if ("blockHash" in range) {
    const number = await chain.resolve({ hash: range.blockHash });
    return { fromBlock: number, toBlock: number };
  }
  const latest = { tag: "latest" } as const;
  const fromBlock = await findNumber(chain, range.from ?? latest);
  const toBlock = await findNumber(chain, range.to ?? latest);
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

export async function listLogs(source: LogSource, filter: LogFilterInput) {
  const { blocks, limits } = source;
  const range = await toLogRange(source, filter.range);
  const logs = await blocks.listLogs({
    ...range,
    ...(filter.addresses ? { addresses: filter.addresses } : {}),
    topics: filter.topics,
    limit: limits.logResults + 1,
  });
  if (logs.length > limits.logResults) {
    const why = `the query matches more than ${limits.logResults} logs: narrow the block range or topics`;
    throw toLimitExceeded("logResults", why);
  }
  return logs.map(encodeLog);
}
