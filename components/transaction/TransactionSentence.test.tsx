/** Tests how a transaction's sentence describes a call without a known function. */
import { AppRouterContext, type AppRouterInstance } from "next/dist/shared/lib/app-router-context.shared-runtime";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { NetworkProvider } from "@/components/layout/NetworkContext";
import { canonicalContracts } from "@/lib/contracts";
import { toSummary } from "@/lib/decode/summary";
import type { PageNetwork } from "@/lib/networks";
import { type Tense, TransactionSentence } from "./TransactionSentence";

const sender = `0x${"11".repeat(20)}`;
const to = `0x${"22".repeat(20)}`;
const network = { name: "testnet", tokens: [], contracts: canonicalContracts } as Partial<PageNetwork> as PageNetwork;

/** The sentence as text: "{sender} called ... on {to}.", addresses cut short. */
function toText(input: string, tense: Tense): string {
  const summary = toSummary({ from: sender, to, input, value: "0x0" }, undefined);
  const html = renderToStaticMarkup(
    <AppRouterContext value={{} as Partial<AppRouterInstance> as AppRouterInstance}>
      <NetworkProvider network={network} origin="http://localhost" renderedAt={0}>
        <TransactionSentence sender={sender} summary={summary} tense={tense} />
      </NetworkProvider>
    </AppRouterContext>,
  );
  return html
    .replaceAll(/<svg.*?<\/svg>/gs, "")
    .replaceAll(/<[^>]+>/g, "")
    .replaceAll(/0x(11|22)[0-9a-f…]*/g, (_, digits) => (digits === "11" ? "SENDER" : "TARGET"));
}

describe("the sentence for a call to an unknown function", () => {
  it.each<[input: string, tense: Tense, sentence: string]>([
    ["0x00000000", "did", "SENDER called an unknown function (0x00000000) on TARGET."],
    ["0x00000000", "tried", "Call to an unknown function (0x00000000) on TARGET reverted."],
    ["0x0000", "did", "SENDER sent 2 bytes of data to TARGET."],
  ])("with input %s, %s", (input, tense, sentence) => {
    expect(toText(input, tense)).toBe(sentence);
  });
});
