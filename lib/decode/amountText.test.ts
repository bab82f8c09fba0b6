/** Tests which amounts forms accept, and the message for each rejected amount. */
import { describe, expect, it } from "vitest";
import { etherUnits, parseAmount } from "@/lib/decode/amountText";

const units = [{ symbol: "USDC", decimals: 6 }, ...etherUnits];

describe("parseAmount", () => {
  it.each<[string, bigint]>([
    ["1500000", 1_500_000n],
    [" 0xff ", 255n],
    ["-3", -3n],
    ["1,500,000", 1_500_000n],
    ["1.5 USDC", 1_500_000n],
    ["1.5usdc", 1_500_000n],
    [".5 USDC", 500_000n],
    ["1,000.25 USDC", 1_000_250_000n],
    ["0.1 ether", 10n ** 17n],
    ["5 gwei", 5n * 10n ** 9n],
    ["7 wei", 7n],
  ])("reads %s", (text, amount) => {
    expect(parseAmount(text, units, "value")).toBe(amount);
  });

  it.each([
    ["1.5", "value must be a whole number if it has no unit. To enter a fraction, add a unit: 1.5 USDC."],
    ["1.5 DOGE", "value can’t be in DOGE. Use one of USDC, ether, eth, gwei, wei."],
    [
      "2,5 USDC",
      "value must be a number, such as 1500000 or 1.5 USDC. Decimals come after a point, and commas only group thousands.",
    ],
    ["1,5000.0 USDC", "value must be a number, such as 1500000 or 1.5 USDC."],
    ["0.1234567 USDC", "value has 7 decimals, but USDC has only 6."],
    ["a lot", "value must be a number, such as 1500000 or 1.5 USDC."],
    ["", "value must be a number, such as 1500000 or 1.5 USDC."],
  ])("rejects %s", (text, message) => {
    expect(() => parseAmount(text, units, "value")).toThrow(message);
  });
});
