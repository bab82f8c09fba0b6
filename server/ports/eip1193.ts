/**
 * The EIP-1193 `request` function: sends one JSON-RPC request to one network. Rejects with an error that has the
 * JSON-RPC code and data.
 */
export type Eip1193Request = (args: { method: string; params?: readonly unknown[] | object }) => Promise<unknown>;
