/**
 * txpool_ methods: what became of a transaction that was sent.
 * The pool remembers what left it for a while; afterwards it is unknown, mined ones excepted.
 */
import { z } from "zod";
import { address, hash32, hexHash } from "@/lib/rpc/codec";
import { defineMethod } from "@/lib/rpc/schema/define";

const poolStatusWord = z.enum(["pending", "queued", "replaced", "dropped", "expired", "mined", "unknown"]);

export const txpool_statusByHash = defineMethod({
  name: "txpool_statusByHash",
  summary: "Where a sent transaction stands, and why if it was refused or waits for an earlier nonce.",
  paramNames: ["hash"],
  params: z.tuple([hash32]),
  result: z.strictObject({ status: poolStatusWord, reason: z.string().optional() }),
  examples: [
    {
      summary: "An unknown transaction",
      params: ["0x00000000000000000000000000000000000000000000000000000000deadbeef"],
    },
  ],
});

export const txpool_statusByAddress = defineMethod({
  name: "txpool_statusByAddress",
  summary: "Transactions of a sender that the pool holds or remembers, by nonce in hex.",
  paramNames: ["address"],
  params: z.tuple([address]),
  result: z.record(
    z.string(),
    z.strictObject({ status: poolStatusWord, reason: z.string().optional(), hash: hexHash }),
  ),
  examples: [{ summary: "A developer account", params: ["0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266"] }],
});
