/**
 * Failures said to a person: one sentence on what happened and what to do. Tells apart who failed: the wallet, by its
 * EIP-1193 and EIP-1474 codes, or the node, and otherwise keeps an error's own first line.
 */
import { t, type WalletKey } from "@/lib/messages/translateWallet";
import { RpcError, TransportError } from "@/lib/rpc/client";
import { PayFetchError } from "@/lib/x402/payFetchChoice";
import { BurnerStorageError } from "./burnerKey";
import { FundingError } from "./fundAndWait";

const sentences: Record<number, WalletKey> = {
  4001: "wallet.error.rejected",
  4100: "wallet.error.unauthorized",
  4200: "wallet.error.unsupported",
  4900: "wallet.error.disconnected",
  4901: "wallet.error.chainDisconnected",
  4902: "wallet.error.unknownChain",
  [-32002]: "wallet.error.busy",
};

/** The first of an error and its causes for which find answers something. */
function findInCauses<T>(error: unknown, find: (error: object) => T | undefined): T | undefined {
  for (let current = error, depth = 0; typeof current === "object" && current !== null && depth < 8; depth++) {
    const found = find(current);
    if (found !== undefined) return found;
    current = (current as { cause?: unknown }).cause;
  }
  return undefined;
}

/** EIP-1193 code of an error or of what caused it; undefined where there is none. */
export function findErrorCode(error: unknown): number | undefined {
  return findInCauses(error, (current) => {
    const { code } = current as { code?: unknown };
    return typeof code === "number" ? code : undefined;
  });
}

/** Browsers reject a fetch that reached nobody with a TypeError and a text of their own. */
function isUnreachable(error: object): boolean {
  return error instanceof TypeError && /fetch|network|load failed/i.test(error.message);
}

function toFirstLine(text: string): string {
  return text.split("\n")[0]?.trim() ?? "";
}

function toSentence(text: string): string {
  const trimmed = text.trim();
  const sentence = trimmed.charAt(0).toUpperCase() + trimmed.slice(1);
  return /[.!?]$/.test(sentence) ? sentence : `${sentence}.`;
}

/** What the node or a request to it is to blame for; undefined where it is not. */
function findNodeMessage(error: unknown): string | undefined {
  return findInCauses(error, (current) => {
    if (current instanceof RpcError) return t("wallet.error.node", { message: toSentence(current.message) });
    if (current instanceof TransportError) return t("wallet.error.node", { message: current.message });
    return isUnreachable(current) ? t("wallet.error.unreachable") : undefined;
  });
}

/** What a wallet's failure means, and what to do about it. */
export function toWalletMessage(error: unknown): string {
  const code = findErrorCode(error);
  const known = code === undefined ? undefined : sentences[code];
  if (known) return t(known);
  const { shortMessage, message } = (error ?? {}) as { shortMessage?: string; message?: string };
  const text = toFirstLine(shortMessage ?? message ?? "");
  return text ? t("wallet.error.other", { message: toSentence(text) }) : t("wallet.error.silent");
}

/** What any failure of connecting, funding, signing or paying means, and what to do about it. */
export function toFailureMessage(error: unknown): string {
  if (error instanceof BurnerStorageError) return t("wallet.error.storage");
  if (error instanceof PayFetchError || error instanceof FundingError) return error.message;
  return findNodeMessage(error) ?? toWalletMessage(error);
}
