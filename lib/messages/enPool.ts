/**
 * Texts of the page of waiting transactions. English.
 */

export const poolMessages = {
  "pool.title": "Pool",
  "pool.waiting": "Waiting transactions",
  "pool.none": "Nothing waits to be mined",
  "pool.noneEmbedded":
    "This chain builds a block as soon as a transaction can be included, so only what waits for an earlier nonce or a lower base fee stays here for long.",
  "pool.noneHint": "Transactions appear here between being sent and being mined.",
  "pool.toTransactions": "See mined transactions",
  "pool.bySender": "By sender",
  "pool.nextNonce": "next nonce {nonce}",
  "pool.gap": "{count} missing",
  "pool.gapHint": "Waits for {count|nonce|nonces} {nonces}",
  "pool.waits": "{count} waiting",
  "pool.nonce": "Nonce {nonce}",
  "pool.left": "Left without being mined",
  "pool.noneLeft": "Nothing left the pool lately without being mined",
  "pool.reason": "Reason",
  "pool.when": "When",
  "pool.nonceHead": "Nonce",
  "pool.sender": "Sender",
} as const;
