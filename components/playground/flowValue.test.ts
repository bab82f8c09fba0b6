import { expect, it } from "vitest";
import { createFormatAmount, createFormatPrice } from "./flowValue";

const asset = `0x${"11".repeat(20)}`;
const tokens = [{ address: asset, symbol: "USDC", decimals: 6 }];

it("formats prices and other amounts with at least two decimals, and all that aren't zero", () => {
  const format = (amount: string) => [
    createFormatPrice(tokens)({ scheme: "exact", asset, amount }),
    createFormatAmount(tokens)({ asset, amount }),
  ];
  expect(format("100000")).toEqual(["0.10 USDC", "0.10 USDC"]);
  expect(format("1234000000")).toEqual(["1,234.00 USDC", "1,234.00 USDC"]);
  expect(format("5000")).toEqual(["0.005 USDC", "0.005 USDC"]);
});

it("says that the price of the scheme upto is a maximum, and formats unknown tokens in their smallest units", () => {
  expect(createFormatPrice([])({ scheme: "upto", asset, amount: "1000" })).toBe(`up to 1,000 units of ${asset}`);
});
