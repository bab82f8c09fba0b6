/**
 * eth_getProof (EIP-1186).
 */
import { z } from "zod";
import { address, blockOrLatest, proofKey } from "@/lib/rpc/codec";
import { defineMethods } from "@/lib/rpc/schema/define";
import { unknownBlock } from "@/lib/rpc/schema/errors";
import { proofShape } from "@/lib/rpc/shapes";

export const ethProofMethods = defineMethods("reads", {
  eth_getProof: {
    summary: "Returns an account and storage slots with Merkle proofs against a block's state root (EIP-1186).",
    paramNames: ["account", "storage_keys", "block"],
    params: z.tuple([address, z.array(proofKey).max(1024, "at most 1024 storage keys"), blockOrLatest]),
    result: proofShape,
    errors: [unknownBlock],
    isExported: true,
    isForwarded: true,
    isMetered: true,
    examples: [
      {
        summary: "The payment token and its slot 0",
        params: ["0x534b2f3a21130d7a60830c2df862319e593943a3", ["0x0"], "latest"],
      },
    ],
  },
});
