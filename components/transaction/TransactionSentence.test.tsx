/** Tests how a transaction's sentence describes a payment, and how it describes a call to an unknown function. */
import { AppRouterContext, type AppRouterInstance } from "next/dist/shared/lib/app-router-context.shared-runtime";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { NetworkProvider } from "@/components/layout/NetworkContext";
import { canonicalContracts } from "@/lib/contracts";
import { type Summary, toSummary } from "@/lib/decode/summary";
import type { PageNetwork } from "@/lib/networks";
import type { Hex } from "@/lib/x402/types";
import { type Tense, TransactionSentence } from "./TransactionSentence";

const sender: Hex = `0x${"11".repeat(20)}`;
const to: Hex = `0x${"22".repeat(20)}`;
const network = {
  name: "testnet",
  nativeCurrency: { name: "Monad", symbol: "MON", decimals: 18 },
  tokens: [],
  contracts: canonicalContracts,
} as Partial<PageNetwork> as PageNetwork;

/** Returns the sentence as text, with SENDER and TARGET in place of the addresses. */
function toText(summary: Summary, tense: Tense): string {
  const html = renderToStaticMarkup(
    <AppRouterContext value={{} as Partial<AppRouterInstance> as AppRouterInstance}>
      <NetworkProvider network={network} origin="http://localhost" renderedAt={0} names={[]}>
        <TransactionSentence sender={sender} summary={summary} tense={tense} />
      </NetworkProvider>
    </AppRouterContext>,
  );
  return html
    .replaceAll(/<svg.*?<\/svg>/gs, "")
    .replaceAll(/<[^>]+>/g, "")
    .replaceAll(/0x(11|22)[0-9a-f…]*/g, (_, digits) => (digits === "11" ? "SENDER" : "TARGET"));
}

describe("the sentence for a call with a value", () => {
  it.each<[input: string, value: bigint, sentence: string]>([
    ["0x12345678", 10n ** 18n, "SENDER called an unknown function (0x12345678) on TARGET with 1 MON."],
    ["0x0000", 713_106n, "SENDER sent 713,106 wei and 2 bytes of data to TARGET."],
    ["0x", 5_000_000_001n, "SENDER sent 5.000000001 gwei to TARGET."],
    ["0x", 10n ** 15n + 1n, "SENDER sent 0.001000000000000001 MON to TARGET."],
  ])("for input %s and %s wei is: %s", (input, wei, sentence) => {
    const value = `0x${wei.toString(16)}`;
    expect(toText(toSummary({ from: sender, to, input, value }, undefined), "did")).toBe(sentence);
  });
});

describe("the sentence for a call to an unknown function", () => {
  it.each<[input: string, tense: Tense, sentence: string]>([
    ["0x12345678", "did", "SENDER called an unknown function (0x12345678) on TARGET."],
    ["0x12345678", "tried", "SENDER tried to call an unknown function (0x12345678) on TARGET."],
    ["0x00000000", "did", "SENDER sent 4 bytes of data to TARGET."],
    ["0x00000000", "tried", "SENDER tried to send 4 bytes of data to TARGET."],
    [`0x${"ab".padStart(64, "0")}`, "did", "SENDER sent 32 bytes of data to TARGET."],
    ["0x0000", "did", "SENDER sent 2 bytes of data to TARGET."],
  ])("for input %s in tense %s is: %s", (input, tense, sentence) => {
    expect(toText(toSummary({ from: sender, to, input, value: "0x0" }, undefined), tense)).toBe(sentence);
  });
});

describe("the sentence for a payment", () => {
  it("does not call the sender a facilitator, because anyone can submit an authorization", () => {
    const summary = { kind: "payment", payer: to, payee: to, amount: 1n, token: to } as const;
    expect(toText(summary, "did")).toMatch(
      /^TARGET paid .* to TARGET\. SENDER sent the transaction and paid the gas\.$/,
    );
  });
});
