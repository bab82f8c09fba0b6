/** explorer_ methods about a single transaction. They find it by sender and nonce, and count its effects. */
import { z } from "zod";
import { address, hash32, hexAddress, hexHash, hexQuantity, quantity } from "@/lib/rpc/codec";
import { defineMethods } from "@/lib/rpc/schema/define";
import { developer } from "@/lib/rpc/schema/exampleValues";

const authorizationShape = z.strictObject({
  /** The account that signed. Null if no account can be recovered from the signature. */
  authority: hexAddress.nullable(),
  chainId: hexQuantity,
  /** The account whose code the authority delegates to. The zero address clears the delegation. */
  address: hexAddress,
  nonce: hexQuantity,
  /**
   * The authority's delegate at the end of the block. Null if it has no delegate, or if the transaction is not mined.
   */
  delegatedTo: hexAddress.nullable(),
});
export type AuthorizationRow = z.infer<typeof authorizationShape>;

export const explorerTransactionMethods = {
  ...defineMethods("reads", {
    explorer_getTransactionByNonce: {
      summary: "Returns the mined or pending transaction with a given sender and nonce; null if there isn't one.",
      paramNames: ["sender", "nonce"],
      params: z.tuple([address, quantity]),
      result: z.strictObject({ hash: hexHash, blockNumber: hexQuantity.nullable() }).nullable(),
      isExported: true,
      examples: [{ summary: "First transaction of a developer account", params: [developer, "0x0"] }],
    },
  }),

  ...defineMethods("runs", {
    explorer_getTransactionEffects: {
      summary:
        "Returns how many calls and internal transactions a transaction made, how many accounts it changed, and its EIP-7702 authorizations.",
      paramNames: ["transactionHash"],
      params: z.tuple([hash32]),
      result: z
        .strictObject({
          blockNumber: hexQuantity.nullable(),
          /**
           * The number of calls and creations, including the top-level call. Null if the transaction is not mined, or
           * if counting would take too long.
           */
          calls: hexQuantity.nullable(),
          /**
           * The total number of creations, self-destructs, and calls with value below the top-level call. Null in the
           * same cases as `calls`.
           */
          internalTransactions: hexQuantity.nullable(),
          changedAccounts: hexQuantity.nullable(),
          authorizations: z.array(authorizationShape),
        })
        .nullable(),
      limits: ["callQueue"],
      isExported: true,
      examples: [{ summary: "An unknown transaction", params: [`0x${"00".repeat(32)}`] }],
    },
  }),
};
