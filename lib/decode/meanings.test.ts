/** Tests which numbers are recognized as amounts, times and the largest value. */
import { expect, it } from "vitest";
import { findNamedToken, isLargest, isTime, isTokenAmount, returnsTokenAmount } from "@/lib/decode/meanings";

it("recognizes token amounts by the names that standards use", () => {
  expect(isTokenAmount({ type: "uint256", name: "value" })).toBe(true);
  expect(isTokenAmount({ type: "uint8", name: "value" })).toBe(false);
  expect(isTokenAmount({ type: "uint256", name: "deadline" })).toBe(false);
  expect(returnsTokenAmount("totalSupply")).toBe(true);
  expect(returnsTokenAmount("nonces")).toBe(false);
});

it("finds the token that the values name, unless they name several", () => {
  const permitted = (token: string) => ({
    name: "permitted",
    type: "(address,uint256)",
    value: [
      { name: "token", type: "address", value: token },
      { name: "amount", type: "uint256", value: "5" },
    ],
  });
  expect(findNamedToken([permitted("0xaa")])).toBe("0xaa");
  expect(findNamedToken([permitted("0xaa"), permitted("0xaa")])).toBe("0xaa");
  expect(findNamedToken([permitted("0xaa"), permitted("0xbb")])).toBeUndefined();
  expect(findNamedToken([{ name: "to", type: "address", value: "0xaa" }])).toBeUndefined();
});

it("recognizes times by name and size", () => {
  expect(isTime("validBefore", "1795491581")).toBe(true);
  expect(isTime("validAfter", "0")).toBe(false);
  expect(isTime("value", "1795491581")).toBe(false);
});

it("recognizes the largest value of wide unsigned types only", () => {
  expect(isLargest("uint256", (2n ** 256n - 1n).toString())).toBe(true);
  expect(isLargest("uint160", (2n ** 160n - 1n).toString())).toBe(true);
  expect(isLargest("uint8", "255")).toBe(false);
  expect(isLargest("int256", (2n ** 256n - 1n).toString())).toBe(false);
});
