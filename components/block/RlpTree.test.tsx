import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { AppRouterContext, type AppRouterInstance } from "next/dist/shared/lib/app-router-context.shared-runtime";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { RlpTree } from "@/components/block/RlpTree";
import { bodyFields, receiptFields } from "@/components/block/rlpFields";
import { NetworkProvider } from "@/components/layout/NetworkContext";
import { findRlp } from "@/lib/decode/rlp";
import type { PageNetwork } from "@/lib/networks";

const item = (value: string) => ({ value, start: 0, end: value.length });

it("folds a bloom filter, and counts its bits", () => {
  const bloom = `${"0".repeat(500)}8003000000ff`;
  const markup = renderToStaticMarkup(
    <RlpTree
      fields={receiptFields}
      item={{ value: [item("01"), item("5208"), item(bloom), { value: [], start: 0, end: 2 }], start: 0, end: 0 }}
    />,
  );
  expect(markup).toMatch(/<summary[^>]*>256 B, 11 bits set<\/summary>/);
  expect(markup).toContain(`0x${bloom}`);
  const empty = renderToStaticMarkup(
    <RlpTree fields={[["logsBloom", ""]]} item={{ value: [item("0".repeat(512))], start: 0, end: 0 }} />,
  );
  expect(empty).toMatch(/<summary[^>]*>256 B, all zero<\/summary>/);
});

/** An RLP list of encoded items. All items are short enough for a prefix of one byte. */
const toList = (...items: string[]) => `${(0xc0 + items.join("").length / 2).toString(16)}${items.join("")}`;
const network = { name: "testnet" } as Partial<PageNetwork> as PageNetwork;
const render = (digits: string, fields: typeof bodyFields) =>
  renderToStaticMarkup(
    <AppRouterContext value={{} as Partial<AppRouterInstance> as AppRouterInstance}>
      <QueryClientProvider client={new QueryClient()}>
        <NetworkProvider network={network} origin="http://localhost" renderedAt={0} names={[]}>
          <RlpTree raw={`0x${digits}`} fields={fields} item={findRlp(digits)!} />
        </NetworkProvider>
      </QueryClientProvider>
    </AppRouterContext>,
  )
    .replaceAll(/<[^>]+>/g, " ")
    .replaceAll(/\s+/g, " ");

it("names the fields of a block's transaction", () => {
  const untyped = toList("07", "01", "825208", "80", "80", "80", "1b", "01", "02");
  const payload = `02${toList("01", "09", "01", "02", "825208", "80", "80", "80", "c0", "80", "01", "02")}`;
  const typed = `${(0x80 + payload.length / 2).toString(16)}${payload}`;
  const toText = (...transactions: string[]) => render(toList("c0", toList(...transactions), "c0", "c0"), bodyFields);
  expect(toText(untyped)).toMatch(
    / transaction 0 0x[0-9a-f]{60} [0-9a-f]{4} 12 B View transaction type 0x00 0 .* nonce 0x07 7 .* gasPrice 0x01 /,
  );
  expect(toText(typed)).toMatch(
    / transaction 0 0x[0-9a-f]{60} [0-9a-f]{4} 16 B View transaction type 0x02 2 .* chainId 0x01 1 .* nonce 0x09 9 /,
  );
  // If there are several, they are closed.
  expect(toText(untyped, typed)).toMatch(/ list of 2 .* transaction 0 0x\S+ \S+ transaction 1 0x\S+ \S+ ommers /);
});

it("names the fields of each log in a receipt", () => {
  const log = toList("820102", toList("820a0b"), "80");
  const text = render(toList("01", "825208", "80", toList(log)), receiptFields);
  expect(text).toMatch(
    / logs list of 1 Address, topics and data of each log log 0 address 0x0102 .* topics list of 1 0 0x0a0b .* data empty /,
  );
});
