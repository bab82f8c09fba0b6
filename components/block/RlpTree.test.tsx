import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { RlpTree } from "@/components/block/RlpTree";
import { receiptFields } from "@/components/block/rlpFields";

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
