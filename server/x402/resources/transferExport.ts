/**
 * Sells a token's transfers, newest first, priced per row. It searches backward in block ranges that are small enough
 * for any node. The row limit bounds the work.
 */
import type { Hex } from "@/lib/x402/types";
import { ask } from "@/server/x402/resources/ask";
import { getAddress, getInteger, getWord } from "@/server/x402/resources/readQuery";
import { defineResource } from "@/server/x402/resources/resource";

/** keccak256 of Transfer(address,address,uint256). */
const transferTopic: Hex = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";
const stepBlocks = 500;
const maxSteps = 20;

type WireLog = { blockNumber: Hex; transactionHash: Hex; logIndex: Hex; topics: Hex[]; data: Hex };

type ExportedTransfer = {
  block: number;
  transaction: Hex;
  logIndex: number;
  from: Hex;
  to: Hex;
  /** A decimal number in the token's smallest unit. */
  units: string;
};

export const transferExport = defineResource({
  name: "transfers",
  title: "Transfer export",
  description: `Transfers of a token, newest first, from the latest ${(stepBlocks * maxSteps).toLocaleString("en")} blocks, as JSON or CSV.`,
  method: "GET",
  mimeType: "application/json",
  price: { scheme: "upto", amount: "$0.05", unit: "row", unitAmount: "$0.0001" },
  input: {
    type: "object",
    properties: {
      token: { type: "string", pattern: "^0x[0-9a-fA-F]{40}$", description: "The network's dollar token by default" },
      rows: { type: "integer", minimum: 1, maximum: 500, default: 100 },
      format: { enum: ["json", "csv"], default: "json" },
    },
  },
  exampleQuery: { rows: "100" },
  toInput: (request, { network, maxCount }) => ({
    token: getAddress(request, "token", network.tokens[0].address),
    rows: getInteger(request, "rows", { min: 1, max: maxCount, fallback: Math.min(100, maxCount) }),
    format: getWord(request, "format", ["json", "csv"]),
  }),
  async serve({ token, rows, format }, context) {
    const head = Number(await ask<Hex>(context, "eth_blockNumber", []));
    const transfers: ExportedTransfer[] = [];
    let toBlock = head;
    for (let step = 0; step < maxSteps && toBlock >= 0 && transfers.length < rows; step++) {
      const fromBlock = Math.max(0, toBlock - stepBlocks + 1);
      const filter = { address: token, topics: [transferTopic], fromBlock: toHex(fromBlock), toBlock: toHex(toBlock) };
      const logs = await ask<WireLog[]>(context, "eth_getLogs", [filter]);
      transfers.push(...logs.flatMap(toTransfer).reverse());
      toBlock = fromBlock - 1;
    }
    const kept = transfers.slice(0, rows);
    if (format === "csv") return { body: toCsv(kept), mimeType: "text/csv; charset=utf-8", count: kept.length };
    return {
      body: { network: context.network.name, token, fromBlock: toBlock + 1, toBlock: head, transfers: kept },
      count: kept.length,
    };
  },
});

/**
 * Returns a list with the log's transfer. The list is empty if the log has another format, such as an NFT's Transfer
 * event.
 */
function toTransfer({ blockNumber, transactionHash, logIndex, topics, data }: WireLog): ExportedTransfer[] {
  const [, from, to] = topics;
  if (!from || !to || topics.length !== 3 || !/^0x[0-9a-f]{64}$/.test(data)) return [];
  return [
    {
      block: Number(blockNumber),
      transaction: transactionHash,
      logIndex: Number(logIndex),
      from: `0x${from.slice(26)}`,
      to: `0x${to.slice(26)}`,
      units: BigInt(data).toString(),
    },
  ];
}

/**
 * Formats transfers as CSV (RFC 4180). All fields are numbers or hexadecimal, so none of them needs quotes or could be
 * mistaken for a formula.
 */
function toCsv(transfers: readonly ExportedTransfer[]): string {
  const rows = transfers.map(({ block, transaction, logIndex, from, to, units }) =>
    [block, transaction, logIndex, from, to, units].join(","),
  );
  return `${["block,transaction,log_index,from,to,units", ...rows].join("\r\n")}\r\n`;
}

function toHex(number: number): Hex {
  return `0x${number.toString(16)}`;
}
