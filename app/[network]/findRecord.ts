/** Reads a recorded payment exchange, both for its page and for that page's title, which link previews show. */
import { cache } from "react";
import { getSource } from "@/app/[network]/loadPage";
import { toFlowTitle } from "@/components/playground/flowTitle";
import { createFormatAmount } from "@/components/playground/flowValue";
import type { Flow } from "@/lib/payflow/flow";
import { createQueryClient } from "@/lib/query/client";
import { exchangeQuery } from "@/lib/query/queries";
import { getNode } from "@/server/node/instance";

/**
 * Finds a record by its own ID or by its payment's ID. Returns undefined if there is no such record or the lookup
 * fails.
 */
export const findRecord = cache(
  async (network: string, id: string): Promise<{ flow: Flow; title: string } | undefined> => {
    const source = await getSource(network);
    const record = await createQueryClient()
      .fetchQuery(exchangeQuery(source, id))
      .catch(() => undefined);
    if (!record) return undefined;
    const flow = record.flow as Flow;
    const { tokens } = (await getNode()).networks.get(network)!.network;
    return { flow, title: toFlowTitle(flow.steps, createFormatAmount(tokens)) };
  },
);
