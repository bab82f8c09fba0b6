/** Logs contracts' `console.log` calls: one line per call, of limited length. */
import { toShownText } from "@/lib/shownText";
import { toHex } from "@/server/ethereum/codec/bytes";
import { getDecoder } from "@/server/explorer/decoder";
import { log } from "@/server/log/log";
import type { OnConsole } from "@/server/ports/chain";

/**
 * Maximum number of lines to log. The engine records one more call than this, which shows that calls were left out
 * (server/evm/console.ts).
 */
const maxLines = 100;
const maxCharacters = 1_000;

export function createConsoleLog(network: string): OnConsole {
  return (inputs, transaction) => {
    const fields = { network, ...(transaction && { transaction }) };
    for (const input of inputs.slice(0, maxLines)) {
      log.info("console.log", { ...fields, text: toShownText(toText(input), maxCharacters) });
    }
    if (inputs.length > maxLines) log.info("further console.log calls are omitted", fields);
  };
}

function toText(input: Uint8Array): string {
  const decoded = getDecoder()
    .decode({ kind: "call", data: toHex(input) })
    .find(({ interfaces }) => interfaces.includes("console.log"));
  if (!decoded) return `(${input.length} bytes that are not a console.log call)`;
  return toMessage(decoded.values.map(({ value }) => String(value)));
}

/**
 * Replaces placeholders such as `%s` and `%d` in the first value with the values after it, like `console.log` in Node.
 * Appends the remaining values.
 */
function toMessage([first = "", ...others]: string[]): string {
  const message = first.replace(/%[sdiox%]/g, (place) => (place === "%%" ? "%" : (others.shift() ?? place)));
  return [message, ...others].join(" ");
}
