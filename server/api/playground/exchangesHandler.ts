/** A POST endpoint that records a payment flow that ran on one of our pages, and returns the record's ID. */
import type { RecordedExchange } from "@/lib/payflow/exchanges";
import { maxRecordCharacters } from "@/lib/payflow/exportFlow";
import { readFlow } from "@/lib/payflow/flowSchema";
import { readPost } from "@/server/api/playground/readPost";
import { findErrorCode } from "@/server/ethereum/errors";
import { toPrivateAnswer } from "@/server/http/answers";
import { type RateLimit, toClientKey } from "@/server/http/rateLimit";
import type { HttpHandler } from "@/server/http/types";
import { type RecordedNetwork, recordExchange } from "@/server/x402/resource-server/exchangeRecord";

/** The posted flow includes the name of its network. Clients above the rate limit get 429. */
export function createExchangesHandler(networks: readonly RecordedNetwork[], rateLimit: RateLimit): HttpHandler {
  return async (request) => {
    // A character takes at most three bytes in UTF-8.
    if (request.body.length > 3 * maxRecordCharacters) {
      return toPrivateAnswer(413, { error: `The flow exceeds the limit of ${maxRecordCharacters} characters.` });
    }
    const read = await readPost(request, rateLimit);
    if ("refusal" in read) return read.refusal;
    const checked = readFlow(read.value);
    if ("error" in checked) return toPrivateAnswer(400, checked);
    const { flow } = checked;
    const network = networks.find(({ name }) => name === flow.network);
    if (!network) return toPrivateAnswer(404, { error: `This node has no network named ${flow.network}.` });
    try {
      const id = await recordExchange(network.store, flow, { client: toClientKey(request) });
      return toPrivateAnswer(200, { id } satisfies RecordedExchange);
    } catch (error) {
      if (findErrorCode(error) !== "FLOW_TOO_LARGE") throw error;
      return toPrivateAnswer(413, { error: (error as Error).message });
    }
  };
}
