/**
 * Sells the call trace of a transaction, priced per kilobyte. By default, it traces the newest transaction in the
 * latest blocks, so that the resource can be tried on any chain.
 */
import type { Hex } from "@/lib/x402/types";
import { findRpcFailure, NetworkError } from "@/server/x402/reads/jsonRpcError";
import { ask } from "@/server/x402/resources/ask";
import { defineResource, ResourceError, type ServeContext } from "@/server/x402/resources/resource";

const kilobyte = 1024;
/** How many blocks to search for the newest transaction. */
const searchedBlocks = 50;

type WireBlock = { transactions: Hex[] };

export const traceExport = defineResource({
  name: "trace",
  title: "Trace export",
  description: "Every call that a transaction made, with its input, output, gas and logs.",
  method: "GET",
  mimeType: "application/json",
  price: { scheme: "upto", amount: "$0.10", unit: "kilobyte", unitAmount: "$0.0002" },
  input: {
    type: "object",
    properties: {
      transaction: { type: "string", pattern: "^0x[0-9a-fA-F]{64}$", description: "The latest transaction by default" },
    },
  },
  toInput({ query }) {
    const hash = query.get("transaction");
    if (hash === null) return undefined;
    if (/^0x[0-9a-fA-F]{64}$/.test(hash)) return hash.toLowerCase() as Hex;
    throw new ResourceError(400, "transaction must be a hash: 0x followed by 64 hex characters.");
  },
  async serve(wanted, context) {
    const transaction = wanted ?? (await getNewest(context));
    const receipt = await ask<{ blockNumber: Hex } | null>(context, "eth_getTransactionReceipt", [transaction]);
    if (!receipt) throw new ResourceError(404, `Transaction ${transaction} was not found in any block.`);
    const trace = await readTrace(context, transaction);
    const bytes = Buffer.byteLength(JSON.stringify(trace));
    const count = Math.ceil(bytes / kilobyte);
    if (count > context.maxCount) {
      throw new ResourceError(413, `The trace is ${count} KB; the limit is ${context.maxCount} KB.`);
    }
    const { name } = context.network;
    return { body: { network: name, transaction, block: Number(receipt.blockNumber), bytes, trace }, count };
  },
});

async function readTrace({ request }: ServeContext, transaction: Hex): Promise<unknown> {
  const options = { tracer: "callTracer", tracerConfig: { withLog: true } };
  try {
    return await request({ method: "debug_traceTransaction", params: [transaction, options] });
  } catch (error) {
    // If the node rejects the request, for example because it has no tracer, the payer gets an explanation. Any other
    // error is a network failure.
    if (findRpcFailure(error)) throw new ResourceError(422, "The network's node cannot trace this transaction.");
    throw new NetworkError("debug_traceTransaction failed.", { cause: error });
  }
}

async function getNewest(context: ServeContext): Promise<Hex> {
  const head = Number(await ask<Hex>(context, "eth_blockNumber", []));
  for (let number = head; number >= Math.max(0, head - searchedBlocks); number--) {
    const block = await ask<WireBlock | null>(context, "eth_getBlockByNumber", [`0x${number.toString(16)}`, false]);
    const newest = block?.transactions.at(-1);
    if (newest) return newest;
  }
  throw new ResourceError(404, `No transactions in the latest ${searchedBlocks} blocks.`);
}
