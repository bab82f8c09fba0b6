/**
 * Tests that constructor arguments are found after the deployed code, even if the constructor set immutable variables
 * in that code.
 */
import { expect, it } from "vitest";
import { findConstructorArguments } from "@/lib/decode/constructorArguments";

const argument = "2a".padStart(64, "0");
const code = "60aa".repeat(8);
const metadata = `a264697066735822${"11".repeat(34)}64736f6c63430008180033`;

it("finds arguments after the code or its metadata", () => {
  expect(findConstructorArguments(`0x6001600255fe${code}${argument}`, `0x${code}`)).toBe(`0x${argument}`);
  const init = `0x6001fe7f${"00".repeat(32)}${metadata}${argument}`;
  expect(findConstructorArguments(init, `0x7f${"77".repeat(32)}${metadata}`)).toBe(`0x${argument}`);
});

it("finds none after code without arguments, and nothing if the code isn't in the init code", () => {
  expect(findConstructorArguments(`0x6001${code}`, `0x${code}`)).toBe("0x");
  expect(findConstructorArguments("0x6001", `0x${code}`)).toBeUndefined();
  expect(findConstructorArguments(`0x600100${argument}`, "0x00")).toBeUndefined();
});
