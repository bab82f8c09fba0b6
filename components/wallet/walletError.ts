/**
 * Turns failures into short messages that say what happened and what to do. Distinguishes wallet errors (by EIP-1193
 * and EIP-1474 codes) from node errors.
 */
import { isPayFetchError } from "@/lib/x402/payFetchChoice";
import { BurnerStorageError } from "./burnerKey";
import { FundingError } from "./fundAndWait";
import { findInCauses, findNodeMessage, toSentence } from "./nodeMessage";
import { WalletRefusal } from "./signingRule";

function toDeclined(what: string): string {
  return `You declined ${what} in the wallet. Nothing was signed or sent; try again when you are ready.`;
}

const sentences: Record<number, string> = {
  4001: toDeclined("the request"),
  4100: "The wallet has not given this page access to that account. Connect the account in the wallet, then try again.",
  4200: "The wallet does not support this request. Use another wallet or, if available, the burner account.",
  4900: "The wallet is disconnected from every network. Check the wallet’s connection, then try again.",
  4901: "The wallet is disconnected from this network. Switch the wallet to it, then try again.",
  4902: "The wallet doesn’t have this network. Add the network first, then try again.",
  [-32002]: "The wallet already has a pending request. Open the wallet to approve or reject it.",
};

/** The EIP-1193 code of an error or its cause. Undefined if neither has one. */
export function findErrorCode(error: unknown): number | undefined {
  return findInCauses(error, (current) => {
    const { code } = current as { code?: unknown };
    return typeof code === "number" ? code : undefined;
  });
}

function toFirstLine(text: string): string {
  return text.split("\n")[0]?.trim() ?? "";
}

/** Finds the guard's WalletRefusal inside the errors that libraries wrapped around it. */
export function findRefusal(error: unknown): WalletRefusal | undefined {
  return findInCauses(error, (current) => (current instanceof WalletRefusal ? current : undefined));
}

/** Thrown if the user declined a request in the wallet. The message says what it was for. */
class WalletDeclinedError extends Error {
  override name = "WalletDeclinedError";
  readonly code = 4001;
}

/** If the user declined the request, returns an error that says what it was for. Returns any other error unchanged. */
export function nameDeclined(error: unknown, what: string): unknown {
  return findErrorCode(error) === 4001 ? new WalletDeclinedError(toDeclined(what), { cause: error }) : error;
}

/** Explains a wallet's failure and how to fix it. */
export function toWalletMessage(error: unknown): string {
  const code = findErrorCode(error);
  const known = code === undefined ? undefined : sentences[code];
  if (known) return known;
  const { shortMessage, message } = (error ?? {}) as { shortMessage?: string; message?: string };
  const text = toFirstLine(shortMessage ?? message ?? "");
  return text
    ? `Wallet error: ${toSentence(text)}`
    : "The wallet failed without an error message. Try again or reload the page.";
}

/** Explains a failure to connect, fund, sign or pay, and how to fix it. */
export function toFailureMessage(error: unknown): string {
  if (error instanceof BurnerStorageError) return "Site data is blocked, so a burner key couldn’t be saved.";
  if (isPayFetchError(error) || error instanceof FundingError || error instanceof WalletDeclinedError) {
    return error.message;
  }
  return findRefusal(error)?.message ?? findNodeMessage(error) ?? toWalletMessage(error);
}
