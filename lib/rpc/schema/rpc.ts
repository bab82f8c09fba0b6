/** rpc.discover, which returns the endpoint's OpenRPC description. */
import { z } from "zod";
import { defineMethods, methodEffects } from "@/lib/rpc/schema/define";

export const rpcMethods = defineMethods("reads", {
  "rpc.discover": {
    summary: "Returns the OpenRPC document of this endpoint.",
    result: z.looseObject({
      openrpc: z.string(),
      info: z.looseObject({ title: z.string(), version: z.string() }),
      methods: z.array(
        z.looseObject({
          name: z.string(),
          summary: z.string(),
          tags: z.array(z.looseObject({ name: z.string() })),
          params: z.array(z.looseObject({ name: z.string(), required: z.boolean(), schema: z.looseObject({}) })),
          result: z.looseObject({ schema: z.looseObject({}) }),
          errors: z.array(z.looseObject({ code: z.number(), message: z.string() })),
          "x-effect": z.enum(methodEffects),
          "x-limits": z.array(
            z.looseObject({ name: z.string(), summary: z.string(), value: z.union([z.number(), z.string()]) }),
          ),
        }),
      ),
    }),
    examples: [{ summary: "OpenRPC document", params: [] }],
  },
});
