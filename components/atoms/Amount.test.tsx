/** Tests which unit an amount of the native currency is shown in. */
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { NetworkProvider } from "@/components/layout/NetworkContext";
import { canonicalContracts } from "@/lib/contracts";
import type { PageNetwork } from "@/lib/networks";
import { Amount, GasCost, GasPrice, listDigits, NativeAmount } from "./Amount";

const network = {
  name: "testnet",
  tokens: [],
  contracts: canonicalContracts,
  nativeCurrency: { name: "MON", symbol: "MON", decimals: 18 },
} as Partial<PageNetwork> as PageNetwork;

function toHtml(amount: React.ReactNode): string {
  return renderToStaticMarkup(
    <NetworkProvider network={network} origin="http://localhost" renderedAt={0} names={[]}>
      {amount}
    </NetworkProvider>,
  );
}

const toText = (amount: React.ReactNode) =>
  toHtml(amount)
    .replaceAll(/<[^>]+>/g, "")
    .replaceAll("&lt;", "<");

it.each<[wei: bigint, text: string]>([
  [0n, "0 MON"],
  [655_580n, "<0.000001 MON"],
  [10n ** 12n - 1n, "<0.000001 MON"],
  [10n ** 12n, "0.000001 MON"],
  [10n ** 18n, "1.000000 MON"],
])("shows %s wei in a list as %s", (wei, text) => {
  expect(toText(<NativeAmount wei={wei} fractionDigits={listDigits} />)).toBe(text);
});

it.each<[units: bigint, phone: string]>([
  [100_000_000n, "100.00 USDC"],
  [10_000n, "0.01 USDC"],
  [5_000n, "0.005 USDC"],
  [0n, "0 USDC"],
])("shows %s units in a list on phones as %s, with at least two decimals unless it's zero", (units, phone) => {
  const html = toHtml(<Amount units={units} unit={{ symbol: "USDC", decimals: 6 }} fractionDigits={4} />);
  expect(html.replace(/<span class="fill.*?<\/span>/, "").replaceAll(/<[^>]+>/g, "")).toBe(phone);
});

it.each<[wei: bigint, text: string, aligned: string]>([
  [587_192n, "587,192 wei", "<0.01 gwei"],
  [73_399_587_192n, "73.4 gwei", "73.40 gwei"],
  [51_449_000_000_000n, "51,449 gwei", "51,449 gwei"],
  [1_500_000_000_000_000n, "0.0015 MON", "0.001500 MON"],
])("shows a gas cost of %s wei as %s, or as %s in a column", (wei, text, aligned) => {
  expect(toText(<GasCost wei={wei} />)).toBe(text);
  expect(toText(<GasCost aligned wei={wei} />)).toBe(aligned);
});

it.each<[wei: bigint, text: string]>([
  [8n, "8 wei"],
  [1_000_008n, "0.001000008 gwei"],
  [1_000_016n, "0.001000016 gwei"],
  [10_000_000n, "0.01 gwei"],
  [1_018_200_123n, "1.0182 gwei"],
])("shows a gas price of %s wei as %s, so that low prices look different", (wei, text) => {
  expect(toText(<GasPrice wei={wei} />)).toBe(text);
});
