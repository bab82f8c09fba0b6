import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { NetworkProvider } from "@/components/layout/NetworkContext";
import type { PageNetwork } from "@/lib/networks";
import { paymentSeriesQuery } from "@/lib/query/queries";
import type { Source } from "@/lib/query/source";
import type { PaymentTotal } from "@/lib/rpc/explorerShapes";
import { PaymentSeriesCharts } from "./PaymentSeriesCharts";
import { seriesTotalsQuery } from "./seriesTotals";

const token = { address: `0x${"11".repeat(20)}`, symbol: "USDC", decimals: 6 } as const;
const network = { name: "testnet", tokens: [token] } as Partial<PageNetwork> as PageNetwork;

/** Renders a series of payments of 0.01 USDC, one per second. */
function render(seconds: number, cut = false, totals: PaymentTotal[] = [], renderedAt = 0): string {
  const source = { network: network.name } as Partial<Source> as Source;
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY } } });
  const toHex = (value: number): `0x${string}` => `0x${value.toString(16)}`;
  client.setQueryData(paymentSeriesQuery(source, {}).queryKey, {
    asset: token.address,
    spans: Array.from({ length: seconds }, (_, second) => ({
      from: toHex(second * 1000),
      to: toHex((second + 1) * 1000),
      payments: "0x1" as const,
      settledAmount: toHex(10_000),
    })),
    batches: [],
    cut,
  });
  client.setQueryData(seriesTotalsQuery(source, {}).queryKey, { items: totals, next: null });
  return renderToStaticMarkup(
    <QueryClientProvider client={client}>
      <NetworkProvider network={network} origin="http://localhost" renderedAt={renderedAt} names={[]}>
        <PaymentSeriesCharts />
      </NetworkProvider>
    </QueryClientProvider>,
  );
}

it("charts payments and amounts from five spans on, and lists fewer", () => {
  const charts = render(5);
  for (const title of ["Settled USDC payments per second", "Settled USDC per second"]) expect(charts).toContain(title);
  const list = render(4);
  expect(list).not.toContain("<details");
  expect(list).toContain("Settled USDC per second");
  expect(list.match(/1 payment</g)).toHaveLength(4);
  expect(render(1)).toBe("");
});

it("says which period is shown", () => {
  expect(render(5)).toContain("Since 1970-01-01 00:00 UTC");
  expect(render(5, false, [], 90)).toContain("1970-01-01 00:00:00 to 00:00:05 UTC");
});

it("ends with the current span if there is room for the empty ones since the last payment", () => {
  const idle = render(5, false, [], 8);
  expect(idle).toContain("1970-01-01 00:00:00 to 00:00:08 UTC");
  expect(idle).toContain("00:00:07 UTC");
  expect(idle.match(/<td[^>]*>0<\/td>/g)).toHaveLength(6);
});

it("says if older payments are left out, in charts and lists", () => {
  for (const seconds of [4, 5]) {
    expect(render(seconds, true)).toContain("Only the latest payments are included.");
    expect(render(seconds)).not.toContain("Only the latest payments");
  }
});

it("offers the tokens that were paid, most payments first, if there are several", () => {
  const toTotal = (asset: `0x${string}`, payments: `0x${string}`): PaymentTotal => ({
    ...{ subject: "one", asset, payments, settledAmount: "0x2710" },
    ...{ refunds: "0x0", refundedAmount: "0x0", gasCost: "0x0" },
  });
  const one = toTotal(token.address, "0x3");
  const other = toTotal(`0x${"22".repeat(20)}`, "0x2");
  const listButtons = (html: string) =>
    [...html.matchAll(/aria-pressed="(true|false)">([^<]*)</g)].map(([, pressed, text]) => [text, pressed]);
  const short = `0x2222…${"2".repeat(4)}`;
  for (const totals of [
    [one, other, other],
    [other, one],
  ]) {
    const isMore = totals.length > 2;
    const buttons = [
      ["USDC", "true"],
      [short, "false"],
    ];
    expect(listButtons(render(5, false, totals))).toEqual(isMore ? buttons.toReversed() : buttons);
  }
  expect(listButtons(render(5, false, [one]))).toEqual([]);
  // Even if there is only one span of the token that is shown.
  expect(render(1, false, [one, other])).toContain("1 payment<");
});
