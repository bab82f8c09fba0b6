import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { AppRouterContext, type AppRouterInstance } from "next/dist/shared/lib/app-router-context.shared-runtime";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { NetworkProvider } from "@/components/layout/NetworkContext";
import type { PageNetwork } from "@/lib/networks";
import { earningsQuery } from "@/lib/query/queries";
import type { Source } from "@/lib/query/source";
import type { Earning } from "@/lib/rpc/explorerShapes";
import { PaymentTotals } from "./PaymentTotals";

const toToken = (symbol: string, digit: string) =>
  ({ address: `0x${digit.repeat(40)}`, symbol, decimals: 6 }) as PageNetwork["tokens"][number];
const [usdc, pusd] = [toToken("USDC", "1"), toToken("PUSD", "2")];
const nativeCurrency = { name: "Monad", symbol: "MON", decimals: 18 };
const network = { name: "testnet", tokens: [usdc, pusd], nativeCurrency } as Partial<PageNetwork> as PageNetwork;

const toEarning = (subject: string, asset: string, refundedAmount: `0x${string}` = "0x0") =>
  ({
    ...{ subject, asset, settledAmount: "0xf4240", refundedAmount, gasCost: "0x1" },
    ...{ payments: "0x2", refunds: refundedAmount === "0x0" ? "0x0" : "0x1" },
    ...{ payers: "0x1", settled: "0x2", failed: "0x1", lastAt: "0x0" },
  }) as Earning;

function render(by: "resource" | "payee", items: Earning[]): string {
  const source = { network: network.name } as Partial<Source> as Source;
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY } } });
  client.setQueryData(earningsQuery(source, by).queryKey, { items, payers: "0x1", cut: false });
  return renderToStaticMarkup(
    <AppRouterContext value={{} as Partial<AppRouterInstance> as AppRouterInstance}>
      <QueryClientProvider client={client}>
        <NetworkProvider network={network} origin="http://localhost" renderedAt={0} names={[]}>
          <PaymentTotals by={by} />
        </NetworkProvider>
      </QueryClientProvider>
    </AppRouterContext>,
  );
}

const countRows = (html: string) => html.split("<tbody")[1]?.match(/<tr/g)?.length;

it("gives each payee one row, with a line for each token", () => {
  const [one, other] = [`0x${"a".repeat(40)}`, `0x${"b".repeat(40)}`];
  const html = render("payee", [
    toEarning(one, usdc!.address),
    toEarning(other, usdc!.address),
    toEarning(one, pusd!.address),
  ]);
  expect(countRows(html)).toBe(2);
  // On phones, each token has its own time.
  // On phones, each token's line has its amount and time.
  for (const symbol of ["USDC", "PUSD"]) expect(html).toMatch(new RegExp(`1\\.00[^1]*> ${symbol}(</span>)+ <time`));
  expect(html).not.toContain("Refunded");
});

it("shows refunds if there are any", () => {
  expect(render("payee", [toEarning(`0x${"a".repeat(40)}`, usdc!.address, "0x1")])).toContain("Refunded");
});

it("names the host of a resource on another server, and says where the others are", () => {
  const toResource = (url: string) => toEarning(`${url}?network=testnet`, usdc!.address);
  const own = toResource("http://localhost/a");
  const all = render("resource", [own]);
  expect(all).not.toContain("on this server");
  const mixed = render("resource", [own, toResource("https://other.example/a")]);
  expect(mixed).toContain("Paths without a host are on this server.");
  expect(mixed.match(/>other\.example</g)).toHaveLength(1);
});
