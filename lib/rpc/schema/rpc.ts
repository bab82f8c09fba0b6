/** rpc_ methods, with which the endpoint describes itself. */
import { z } from "zod";
import { defineMethods } from "@/lib/rpc/schema/define";

export const rpcMethods = defineMethods("reads", {
  "rpc.discover": {
    summary: "OpenRPC document of this endpoint.",
    result: z.looseObject({
      openrpc: z.string(),
      info: z.looseObject({ title: z.string(), version: z.string() }),
      methods: z.array(z.looseObject({ name: z.string() })),
    }),
    examples: [{ summary: "The document", params: [] }],
  },
});
