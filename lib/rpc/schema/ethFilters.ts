/** eth_ methods for filters. A filter exists only in the node that created it, and expires if it isn't polled. */
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

/** Filter IDs are random and opaque. Malformed IDs are rejected. */
const filterId = z.string().regex(/^0x[0-9a-f]{1,64}$/, "not a filter ID");

export const ethFiltersMethods = {
  ...defineMethods("filters", {
    eth_newFilter: {
      summary: "Creates a filter for new logs and returns its ID.",
      paramNames: ["filters"],
      params: z.tuple([logFilter]),
      result: hexData,
      limits: [...filterLimits, "logResults"],
      isForwarded: true,
      examples: [{ summary: "Token transfers", params: [transfers] }],
    },

    eth_newBlockFilter: {
      summary: "Creates a filter for new block hashes and returns its ID.",
      result: hexData,
      limits: filterLimits,
      isForwarded: true,
      examples: [{ summary: "New blocks", params: [] }],
    },

    eth_newPendingTransactionFilter: {
      summary: "Creates a filter for the hashes of new pending transactions and returns its ID.",
      result: hexData,
      limits: filterLimits,
      isForwarded: true,
      examples: [{ summary: "New transactions", params: [] }],
    },

    eth_getFilterChanges: {
      summary: "Returns a filter's new entries since the last poll.",
      paramNames: ["filter_id"],
      params: z.tuple([filterId]),
      result: z.union([z.array(hexHash), z.array(logShape)]),
      errors: [unknownFilter],
      isForwarded: true,
      examples: [{ summary: "An unknown filter", params: ["0x1"], refused: true }],
      toLiveExamples: ofPrepared("A newly created filter", { method: "eth_newBlockFilter", params: [] }),
    },

    eth_uninstallFilter: {
      summary: "Removes a filter; returns false if it doesn't exist.",
      paramNames: ["filter_id"],
      params: z.tuple([filterId]),
      result: z.boolean(),
      isForwarded: true,
      examples: [{ summary: "An unknown filter", params: ["0x1"] }],
      toLiveExamples: ofPrepared("A newly created filter", { method: "eth_newBlockFilter", params: [] }),
    },
  }),

  ...defineMethods("reads", {
    eth_getFilterLogs: {
      summary: "Returns all logs that match a log filter, not only new ones.",
      paramNames: ["filter_id"],
      params: z.tuple([filterId]),
      result: z.array(logShape),
      errors: [unknownFilter],
      limits: ["logBlocks", "logResults"],
      isExported: true,
      isForwarded: true,
      examples: [{ summary: "An unknown filter", params: ["0x1"], refused: true }],
      toLiveExamples: (facts) => {
        const params = [{ address: facts.network.tokens[0]?.address, fromBlock: "earliest" }];
        return ofPrepared("A newly created filter", { method: "eth_newFilter", params })(facts);
      },
    },
  }),
};
