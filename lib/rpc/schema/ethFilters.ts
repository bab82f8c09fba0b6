/** eth_ methods for filters. A filter lives in the node that created it and expires if it is not polled. */
import { z } from "zod";
import { hexData, hexHash } from "@/lib/rpc/codec";
import { logFilter } from "@/lib/rpc/inputs";
import { defineMethod } from "@/lib/rpc/schema/define";
import { unknownFilter } from "@/lib/rpc/schema/errors";
import { filterLimits } from "@/lib/rpc/schema/limits";
import { ofPrepared } from "@/lib/rpc/schema/live";
import { logShape } from "@/lib/rpc/shapes";

/** keccak256("Transfer(address,address,uint256)") */
const transferTopic = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";
const token = "0x534b2f3a21130d7a60830c2df862319e593943a3";
const transfers = { address: token, topics: [transferTopic] };

/** Ids are random and opaque; malformed ones are refused. */
const filterId = z.string().regex(/^0x[0-9a-f]{1,64}$/, "not a filter id");

export const eth_newFilter = defineMethod({
  name: "eth_newFilter",
  summary: "Makes a filter that collects new logs; answers its id.",
  effect: "filters",
  paramNames: ["filters"],
  params: z.tuple([logFilter]),
  result: hexData,
  limits: [...filterLimits, "logResults"],
  isForwarded: true,
  examples: [{ summary: "Token transfers", params: [transfers] }],
});

export const eth_newBlockFilter = defineMethod({
  name: "eth_newBlockFilter",
  summary: "Makes a filter that collects hashes of new blocks; answers its id.",
  effect: "filters",
  paramNames: [],
  params: z.tuple([]),
  result: hexData,
  limits: filterLimits,
  isForwarded: true,
  examples: [{ summary: "New blocks", params: [] }],
});

export const eth_newPendingTransactionFilter = defineMethod({
  name: "eth_newPendingTransactionFilter",
  summary: "Makes a filter that collects hashes of transactions new in the pool; answers its id.",
  effect: "filters",
  paramNames: [],
  params: z.tuple([]),
  result: hexData,
  limits: filterLimits,
  isForwarded: true,
  examples: [{ summary: "New transactions", params: [] }],
});

export const eth_getFilterChanges = defineMethod({
  name: "eth_getFilterChanges",
  summary: "What a filter collected since the last call, which this uses up.",
  effect: "filters",
  paramNames: ["filter_id"],
  params: z.tuple([filterId]),
  result: z.union([z.array(hexHash), z.array(logShape)]),
  errors: [unknownFilter],
  isForwarded: true,
  examples: [{ summary: "A filter that is not there", params: ["0x1"], refused: true }],
  toLiveExamples: ofPrepared("Of a filter made for it", { method: "eth_newBlockFilter", params: [] }),
});

export const eth_getFilterLogs = defineMethod({
  name: "eth_getFilterLogs",
  summary: "All logs that match a log filter, not only the new ones.",
  effect: "reads",
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
});

export const eth_uninstallFilter = defineMethod({
  name: "eth_uninstallFilter",
  summary: "Removes a filter; false where there was none.",
  effect: "filters",
  paramNames: ["filter_id"],
  params: z.tuple([filterId]),
  result: z.boolean(),
  isForwarded: true,
  examples: [{ summary: "A filter that is not there", params: ["0x1"] }],
  toLiveExamples: ofPrepared("A filter made for it", { method: "eth_newBlockFilter", params: [] }),
});
