/** rpc_ methods, with which the endpoint describes itself. */
import { z } from "zod";
import { defineMethod } from "@/lib/rpc/schema/define";

export const rpc_discover = defineMethod({
  name: "rpc.discover",
  summary: "OpenRPC document of this endpoint.",
  effect: "reads",
  paramNames: [],
  params: z.tuple([]),
  result: z.looseObject({
    openrpc: z.string(),
    info: z.looseObject({ title: z.string(), version: z.string() }),
    methods: z.array(z.looseObject({ name: z.string() })),
  }),
  examples: [{ summary: "The document", params: [] }],
});
