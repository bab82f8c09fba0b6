/** The errors that methods declare, beyond those that any method can return. */

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
  when: "The block is not known, or its state is not kept.",
};
export const unknownTransaction: MethodError = { kind: "server", when: "The transaction is not known." };
export const unknownFilter: MethodError = { kind: "server", when: "The filter is not there, or expired." };
export const halted: MethodError = { kind: "server", when: "The call runs out of gas or halts in another way." };
export const reverted: MethodError = {
  kind: "reverted",
  when: "The call reverts; data holds what it reverted with.",
};
export const refusedByPool: MethodError = {
  kind: "server",
  when: "The pool refuses the transaction; the message says why.",
};
export const notAllowed: MethodError = {
  kind: "notAllowed",
  when: "The caller is neither on the node's machine nor at an allowed origin.",
};
export const noDevControls: MethodError = { kind: "methodNotFound", when: "The chain may not be changed by hand." };
export const needsSocket: MethodError = {
  kind: "methodNotFound",
  when: "It was asked over HTTP; it needs a WebSocket.",
};
