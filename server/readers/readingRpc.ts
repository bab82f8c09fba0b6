/**
 * JSON-RPC of one network in a reader. A body in which every method reads or runs is answered here; any other one, and
 * whatever is wrong, goes to the main process as it came. Of what is answered here, a call that turns out to need more
 * than is committed goes there alone.
 */
import { methods } from "@/lib/rpc/methods";
import { getMethodNote } from "@/lib/rpc/schema/notes";
import { ElsewhereError } from "@/server/chain/errors";
import type { Config } from "@/server/config";
import type { HttpHandler } from "@/server/http/types";
import type { NetworkConfig } from "@/server/networkConfig";
import { askElsewhere, createElsewhere } from "@/server/readers/elsewhere";
import type { MainProcess } from "@/server/readers/mainProcess";
import type { ReadingChain } from "@/server/readers/readingChain";
import { type CallForText, createDispatch, createRun } from "@/server/rpc/dispatch";
import { createFinalAnswers } from "@/server/rpc/finalAnswers";
import { createRpcHandler } from "@/server/rpc/http";
import { createStatistics, type Statistics } from "@/server/rpc/statistics";

export type ReadingRpc = {
  handler: HttpHandler;
  /** Of what was answered here; what went to the main process is counted there. */
  statistics: Statistics;
  close(): void;
};

const readOnly: ReadonlySet<unknown> = new Set(
  Object.keys(methods).filter((name) => ["reads", "runs"].includes(getMethodNote(name).effect)),
);

export function createReadingRpc(
  { limits }: Pick<Config, "limits">,
  network: NetworkConfig,
  { chain, follow }: ReadingChain,
  main: MainProcess,
): ReadingRpc {
  const statistics = createStatistics();
  const finalAnswers = createFinalAnswers(chain);
  const run = createRun(
    {
      network,
      chain,
      limits,
      fund: askElsewhere,
      filters: createElsewhere(),
      statistics: createElsewhere(),
      history: createElsewhere(),
    },
    statistics,
  );

  const callForText: CallForText = async (method, params, caller) => {
    try {
      return await run(method, params, caller, (decoded, handle) => finalAnswers.answer(method, decoded, handle));
    } catch (error) {
      if (!(error instanceof ElsewhereError)) throw error;
      return main.call(network.name, method, params, caller);
    }
  };

  const answer = createRpcHandler({ call: askElsewhere, dispatch: createDispatch(limits, callForText) }, { limits });
  return {
    async handler(request) {
      if (request.method !== "POST" || !isReadOnly(request.body)) return main.pass(request);
      const following = follow();
      if (following) await following;
      return answer(request);
    },
    statistics,
    close: finalAnswers.close,
  };
}

/** Whether the body is JSON-RPC in which nothing is sent, followed or changed. */
export function isReadOnly(body: Uint8Array): boolean {
  let request: unknown;
  try {
    request = JSON.parse(Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString());
  } catch {
    return false;
  }
  const names = (each: unknown) => readOnly.has((each as { method?: unknown } | null)?.method);
  return Array.isArray(request) ? request.length > 0 && request.every(names) : names(request);
}
