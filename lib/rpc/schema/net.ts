/** net_ methods. The network ID equals the chain ID. */
import { z } from "zod";
import { defineMethods } from "@/lib/rpc/schema/define";

export const netMethods = defineMethods("reads", {
  net_version: {
    summary: "Returns the network ID as a decimal string; equal to the chain ID.",
    result: z.string().regex(/^[1-9][0-9]*$/),
    isMetered: true,
    examples: [{ summary: "Network ID", params: [] }],
  },

  net_listening: {
    summary: "Always returns true: a node that responds is listening.",
    result: z.literal(true),
    examples: [{ summary: "Listening", params: [] }],
  },

  net_peerCount: {
    summary: "Always returns 0x0: embedded networks have no peers, and a remote node's peers are not shown.",
    result: z.literal("0x0"),
    examples: [{ summary: "Peers", params: [] }],
  },
});
