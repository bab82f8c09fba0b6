/** The errors that methods declare. Errors that any method can return are not listed. */

/** The kinds of errors, by their names in server/rpc/errors.ts. */
type ErrorKind =
  | "invalidParams"
  | "methodNotFound"
  | "limitExceeded"
  | "server"
  | "notAllowed"
  | "internal"
  | "reverted"
  | "syncTimeout"
  | "syncNotReady";

export type MethodError = { kind: ErrorKind; when: string };

export const unknownBlock: MethodError = {
  kind: "server",
  when: "The block is unknown, or its state is not available.",
};
export const unknownTransaction: MethodError = { kind: "server", when: "The transaction is unknown." };
export const unknownFilter: MethodError = { kind: "server", when: "The filter doesn't exist or has expired." };
export const halted: MethodError = { kind: "server", when: "The call runs out of gas or halts for another reason." };
export const reverted: MethodError = {
  kind: "reverted",
  when: "The call reverts; data contains its revert data.",
};
export const refusedByPool: MethodError = {
  kind: "server",
  when: "The pool rejects the transaction; the message says why.",
};
/** The errors that methods return if they wait for a receipt (EIP-7966) and can't get one. */
export const noReceipt: MethodError[] = [
  {
    kind: "syncTimeout",
    when: "The transaction wasn't mined in time. It stays in the pool. The error's data contains the transaction's hash.",
  },
  {
    kind: "syncNotReady",
    when: "An earlier nonce is missing, so the transaction can't be mined yet. The error's data contains the transaction's hash.",
  },
];
export const notAllowed: MethodError = {
  kind: "notAllowed",
  when: "The caller is neither on the node's machine nor from an allowed origin.",
};
export const noDevControls: MethodError = {
  kind: "methodNotFound",
  when: "Dev controls are disabled on this network.",
};
export const needsSocket: MethodError = {
  kind: "methodNotFound",
  when: "The method was called over HTTP; it requires a WebSocket connection.",
};
