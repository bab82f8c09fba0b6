/** net_ methods. The network is this node, so its id is the chain id. */
import { z } from "zod";
import { defineMethod } from "@/lib/rpc/schema/define";

export const net_version = defineMethod({
  name: "net_version",
  summary: "Network id as a decimal string; equal to the chain id.",
  effect: "reads",
  paramNames: [],
  params: z.tuple([]),
  result: z.string().regex(/^[1-9][0-9]*$/),
  isMetered: true,
  examples: [{ summary: "The network id", params: [] }],
});

export const net_listening = defineMethod({
  name: "net_listening",
  summary: "True: a node that answers this is listening.",
  effect: "reads",
  paramNames: [],
  params: z.tuple([]),
  result: z.literal(true),
  examples: [{ summary: "Listening", params: [] }],
});
