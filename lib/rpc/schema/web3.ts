/** web3_ methods. They read neither the chain nor its state. */
import { z } from "zod";
import { data, hexHash } from "@/lib/rpc/codec";
import { defineMethods } from "@/lib/rpc/schema/define";

export const web3Methods = defineMethods("reads", {
  web3_clientVersion: {
    summary:
      "Returns the name and version of this node and of its runtime. With dev controls, the name starts with 'anvil', because test helpers look for it.",
    result: z.string(),
    isForwarded: true,
    isMetered: true,
    examples: [{ summary: "This node", params: [] }],
  },

  web3_sha3: {
    summary: "Returns the Keccak-256 hash of the given bytes (not the standardized SHA3-256).",
    paramNames: ["data"],
    params: z.tuple([data]),
    result: hexHash,
    examples: [{ summary: "hello world", params: ["0x68656c6c6f20776f726c64"] }],
  },
});
