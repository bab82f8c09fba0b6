/**
 * EIP-1193: one JSON-RPC request to one network. Rejects with an error that carries code and data as JSON-RPC gives them.
 */
export type Eip1193Request = (args: { method: string; params?: readonly unknown[] | object }) => Promise<unknown>;
