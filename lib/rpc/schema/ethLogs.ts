import { z } from "zod";
import { logFilter } from "@/lib/rpc/inputs";
import { defineMethods } from "@/lib/rpc/schema/define";
import { unknownBlock } from "@/lib/rpc/schema/errors";
import { token, transferTopic } from "@/lib/rpc/schema/exampleValues";
import { logShape } from "@/lib/rpc/shapes";

const transfers = { address: token, topics: [transferTopic] };

export const ethLogsMethods = defineMethods("reads", {
  eth_getLogs: {
    summary: "Returns the logs in a block or block range that match the given addresses and topics, in chain order.",
    paramNames: ["filters"],
    params: z.tuple([logFilter]),
    result: z.array(logShape),
    errors: [unknownBlock],
    limits: ["logBlocks", "logResults"],
    isExported: true,
    isForwarded: true,
    isMetered: true,
    finalBy: "logs",
    examples: [
      { summary: "Token transfers in the latest block", params: [transfers] },
      {
        summary: "Token transfers since genesis",
        params: [{ ...transfers, fromBlock: "earliest", toBlock: "latest" }],
      },
    ],
  },
});
