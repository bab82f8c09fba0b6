/**
 * Wallet failures said to a person: one sentence on what happened and what to do. Knows the EIP-1193 and EIP-1474
 * codes; anything else keeps its own first line.
 */

const sentences: Record<number, string> = {
  4001: "You declined the request in the wallet. Nothing was signed or sent; try again when you are ready.",
  4100: "The wallet has not given this page access to that account. Connect the account in the wallet, then try again.",
  4200: "The wallet does not support this request. Use another wallet or the burner account.",
  4900: "The wallet is disconnected from every network. Check the wallet's connection, then try again.",
  4901: "The wallet is disconnected from this network. Switch the wallet to it, then try again.",
  4902: "The wallet does not know this network. Add the network first, then try again.",
  [-32002]: "The wallet already has an open request. Open the wallet and answer it.",
};

/** EIP-1193 code of an error or of what caused it; undefined where there is none. */
export function findErrorCode(error: unknown): number | undefined {
  for (let current = error, depth = 0; current && depth < 8; depth++) {
    const { code, cause } = current as { code?: unknown; cause?: unknown };
    if (typeof code === "number") return code;
    current = cause;
  }
  return undefined;
}

export function toWalletMessage(error: unknown): string {
  const code = findErrorCode(error);
  const known = code === undefined ? undefined : sentences[code];
  if (known) return known;
  const { shortMessage, message } = (error ?? {}) as { shortMessage?: string; message?: string };
  const text = (shortMessage ?? message ?? "").split("\n")[0]?.trim();
  return text ? `The wallet answered: ${text}` : "The wallet failed without saying why. Try again or reload the page.";
}
