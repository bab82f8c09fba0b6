/** net_ methods. The network is this node, so its id is the chain id. */
import { z } from "zod";
import { defineMethods } from "@/lib/rpc/schema/define";

export const netMethods = defineMethods("reads", {
  net_version: {
    summary: "Network id as a decimal string; equal to the chain id.",
    result: z.string().regex(/^[1-9][0-9]*$/),
    isMetered: true,
    examples: [{ summary: "The network id", params: [] }],
  },

  net_listening: {
    summary: "True: a node that answers this is listening.",
    result: z.literal(true),
    examples: [{ summary: "Listening", params: [] }],
  },
});
