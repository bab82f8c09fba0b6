/**
 * eth_getLogs.
 */
import { z } from "zod";
import { logFilter } from "@/lib/rpc/inputs";
import { defineMethod } from "@/lib/rpc/schema/define";
import { unknownBlock } from "@/lib/rpc/schema/errors";
import { logShape } from "@/lib/rpc/shapes";

/** keccak256("Transfer(address,address,uint256)") */
const transferTopic = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";
const token = "0x534b2f3a21130d7a60830c2df862319e593943a3";
const transfers = { address: token, topics: [transferTopic] };

export const eth_getLogs = defineMethod({
  name: "eth_getLogs",
  summary: "Logs of a range of blocks or of one block that match addresses and topics, in chain order.",
  effect: "reads",
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
    { summary: "Token transfers of the newest block", params: [transfers] },
    { summary: "Token transfers since genesis", params: [{ ...transfers, fromBlock: "earliest", toBlock: "latest" }] },
  ],
});
