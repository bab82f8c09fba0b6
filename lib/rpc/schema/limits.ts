/** The limits that a call to a method can exceed, keyed by the names used in errors and in the configuration. */
export const limitSummaries = {
  bodyBytes: "Max request size",
  batchLength: "Max requests per batch",
  responseBytes: "Max response size",
  logBlocks: "Max block range",
  logResults: "Max logs per response",
  traceBlocks: "Max blocks per trace_filter",
  feeHistoryBlocks: "Max blocks of fee history",
  callGas: "Max gas per call",
  callTimeMs: "Max milliseconds per call",
  callQueue: "Max queued calls",
  filters: "Max filters, all clients",
  clientFilters: "Max filters per client",
  socketSubscriptions: "Max subscriptions per connection",
  poolTransactions: "Max transactions in the pool",
  poolPerSender: "Max transactions in the pool per sender",
} as const;
export type LimitName = keyof typeof limitSummaries;

export const runLimits = ["callGas", "callTimeMs", "callQueue"] as const;
export const poolLimits = ["poolTransactions", "poolPerSender"] as const;
export const filterLimits = ["filters", "clientFilters"] as const;
