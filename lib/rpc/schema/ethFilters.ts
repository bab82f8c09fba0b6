/** eth_ methods for filters. A filter lives in the node that created it and expires if it is not polled. */
import { z } from "zod";
import { hexData, hexHash } from "@/lib/rpc/codec";
import { logFilter } from "@/lib/rpc/inputs";
import { defineMethods } from "@/lib/rpc/schema/define";
import { unknownFilter } from "@/lib/rpc/schema/errors";
import { token, transferTopic } from "@/lib/rpc/schema/exampleValues";
import { filterLimits } from "@/lib/rpc/schema/limits";
import { ofPrepared } from "@/lib/rpc/schema/live";
import { logShape } from "@/lib/rpc/shapes";

const transfers = { address: token, topics: [transferTopic] };

/** Ids are random and opaque; malformed ones are refused. */
const filterId = z.string().regex(/^0x[0-9a-f]{1,64}$/, "not a filter id");

export const ethFiltersMethods = {
  ...defineMethods("filters", {
    eth_newFilter: {
      summary: "Makes a filter that collects new logs; answers its id.",
      paramNames: ["filters"],
      params: z.tuple([logFilter]),
      result: hexData,
      limits: [...filterLimits, "logResults"],
      isForwarded: true,
      examples: [{ summary: "Token transfers", params: [transfers] }],
    },

    eth_newBlockFilter: {
      summary: "Makes a filter that collects hashes of new blocks; answers its id.",
      result: hexData,
      limits: filterLimits,
      isForwarded: true,
      examples: [{ summary: "New blocks", params: [] }],
    },

    eth_newPendingTransactionFilter: {
      summary: "Makes a filter that collects hashes of transactions new in the pool; answers its id.",
      result: hexData,
      limits: filterLimits,
      isForwarded: true,
      examples: [{ summary: "New transactions", params: [] }],
    },

    eth_getFilterChanges: {
      summary: "What a filter collected since the last call, which this uses up.",
      paramNames: ["filter_id"],
      params: z.tuple([filterId]),
      result: z.union([z.array(hexHash), z.array(logShape)]),
      errors: [unknownFilter],
      isForwarded: true,
      examples: [{ summary: "A filter that is not there", params: ["0x1"], refused: true }],
      toLiveExamples: ofPrepared("Of a filter made for it", { method: "eth_newBlockFilter", params: [] }),
    },

    eth_uninstallFilter: {
      summary: "Removes a filter; false where there was none.",
      paramNames: ["filter_id"],
      params: z.tuple([filterId]),
      result: z.boolean(),
      isForwarded: true,
      examples: [{ summary: "A filter that is not there", params: ["0x1"] }],
      toLiveExamples: ofPrepared("A filter made for it", { method: "eth_newBlockFilter", params: [] }),
    },
  }),

  ...defineMethods("reads", {
    eth_getFilterLogs: {
      summary: "All logs that match a log filter, not only the new ones.",
      paramNames: ["filter_id"],
      params: z.tuple([filterId]),
      result: z.array(logShape),
      errors: [unknownFilter],
      limits: ["logBlocks", "logResults"],
      isExported: true,
      isForwarded: true,
      examples: [{ summary: "A filter that is not there", params: ["0x1"], refused: true }],
      toLiveExamples: (facts) => {
        const params = [{ address: facts.network.tokens[0]?.address, fromBlock: "earliest" }];
        return ofPrepared("Of a filter made for it", { method: "eth_newFilter", params })(facts);
      },
    },
  }),
};
