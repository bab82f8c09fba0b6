/**
 * Packs a block's logs into bytes, which take a third of the memory of their JSON, and produces the JSON of the logs
 * that match a filter. The JSON must be the same as `encodeLog` produces.
 */
import type { LogFilterInput } from "@/lib/rpc/inputs";
import { toQuantity } from "@/lib/units";
import { toBytes } from "@/server/ethereum/codec/bytes";
import type { Block, Receipt } from "@/server/ethereum/types";

export type PackedLogs = {
  /** For each log: its transaction's hash, its address, its topics and its data. */
  bytes: Buffer;
  /** For each log: the end of its bytes, the number of its topics, and the indices of its transaction and itself. */
  places: Uint32Array;
  /** The fields that all logs in the block share, as JSON. */
  shared: string;
};

type Criteria = Pick<LogFilterInput, "addresses" | "topics">;
/** The values that a filter accepts at each place: the address, then topics 0 to 3. Undefined accepts any value. */
type Wanted = (Uint8Array[] | undefined)[];

const placeLength = 4;
const hashLength = 32;
const addressLength = 20;

export function packLogs({ header, transactions }: Block, receipts: readonly Receipt[]): PackedLogs {
  const digits: string[] = [];
  const places: number[] = [];
  let end = 0;
  for (const [index, { logs, firstLogIndex }] of receipts.entries()) {
    for (const [at, { address, topics, data }] of logs.entries()) {
      for (const hex of [transactions[index]!.hash, address, ...topics, data]) {
        digits.push(hex.slice(2));
        end += hex.length / 2 - 1;
      }
      places.push(end, topics.length, index, firstLogIndex + at);
    }
  }
  // Allocates its own memory, because a slice of Node's shared buffer would keep the whole buffer in memory.
  const bytes = Buffer.allocUnsafeSlow(end);
  bytes.write(digits.join(""), "hex");
  return {
    bytes,
    places: Uint32Array.from(places),
    shared: `"blockNumber":"${toQuantity(header.number)}","blockHash":"${header.hash}","blockTimestamp":"${toQuantity(header.timestamp)}"`,
  };
}

/** The approximate memory that packed logs take, in bytes. */
export const toPackedSize = ({ bytes, places, shared }: PackedLogs): number =>
  bytes.length + places.byteLength + shared.length;

/**
 * Returns the JSON of each matching log, in chain order. Stops after `limit` logs. Addresses and topics must be
 * lowercase.
 */
export function findLogTexts(blocks: readonly PackedLogs[], { addresses, topics }: Criteria, limit: number): string[] {
  const wanted: Wanted = [addresses, ...topics].map((values) => (values?.length ? values.map(toBytes) : undefined));
  const texts: string[] = [];
  for (const block of blocks) {
    if (texts.length >= limit) break;
    addMatches(block, wanted, limit, texts);
  }
  return texts;
}

function addMatches({ bytes, places, shared }: PackedLogs, wanted: Wanted, limit: number, texts: string[]): void {
  let start = 0;
  for (let at = 0; at < places.length && texts.length < limit; at += placeLength) {
    const end = places[at]!;
    const topicCount = places[at + 1]!;
    if (isMatch(bytes, start + hashLength, topicCount, wanted)) {
      const indices = `"transactionIndex":"${toQuantity(places[at + 2]!)}","logIndex":"${toQuantity(places[at + 3]!)}"`;
      texts.push(toText(bytes.toString("hex", start, end), topicCount, shared, indices));
    }
    start = end;
  }
}

/** As in geth, a log needs a topic for each position in the filter, even if that position accepts any value. */
function isMatch(bytes: Uint8Array, start: number, topicCount: number, wanted: Wanted): boolean {
  if (topicCount < wanted.length - 1) return false;
  for (let place = 0; place < wanted.length; place++) {
    const values = wanted[place];
    if (!values) continue;
    const from = place === 0 ? start : start + addressLength + (place - 1) * hashLength;
    if (!values.some((value) => isAt(bytes, from, value))) return false;
  }
  return true;
}

function isAt(bytes: Uint8Array, from: number, value: Uint8Array): boolean {
  for (let at = 0; at < value.length; at++) if (bytes[from + at] !== value[at]) return false;
  return true;
}

/** `digits` are the hex digits of one log's bytes. */
function toText(digits: string, topicCount: number, shared: string, indices: string): string {
  const topicsStart = 2 * (hashLength + addressLength);
  const dataStart = topicsStart + 2 * hashLength * topicCount;
  let topics = "";
  for (let from = topicsStart; from < dataStart; from += 2 * hashLength) {
    topics += `${from === topicsStart ? "" : ","}"0x${digits.slice(from, from + 2 * hashLength)}"`;
  }
  return (
    `{"address":"0x${digits.slice(2 * hashLength, topicsStart)}","topics":[${topics}],"data":"0x${digits.slice(dataStart)}",` +
    `${shared},"transactionHash":"0x${digits.slice(0, 2 * hashLength)}",${indices},"removed":false}`
  );
}
