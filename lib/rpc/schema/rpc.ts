/** rpc.discover, with which the endpoint describes itself. */
import { z } from "zod";
import { defineMethods } from "@/lib/rpc/schema/define";

export const rpcMethods = defineMethods("reads", {
  "rpc.discover": {
    summary: "Returns the OpenRPC document of this endpoint.",
    result: z.looseObject({
      openrpc: z.string(),
      info: z.looseObject({ title: z.string(), version: z.string() }),
      methods: z.array(z.looseObject({ name: z.string() })),
    }),
    examples: [{ summary: "OpenRPC document", params: [] }],
  },
});
