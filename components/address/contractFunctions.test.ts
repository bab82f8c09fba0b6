/** Tests the list of a contract's functions, and how text from the forms is converted to the encoder's values. */
import { type AbiFunction, encodeFunctionData, parseAbi, parseAbiItem } from "viem";
import { expect, it } from "vitest";
import { toArgument, toPlaceholder } from "@/components/address/contractArguments";
import {
  listFunctions,
  listFurtherFunctions,
  sortFunctions,
  toParameterText,
} from "@/components/address/contractFunctions";
import { type AmountUnit, etherUnits } from "@/lib/decode/amountText";

const abi = parseAbi([
  "struct Pair { address who; uint256[] amounts; }",
  "function transfer(address to, uint256 value) returns (bool)",
  "function set(Pair[] pairs, bool flag, int8 small)",
]);

it("labels functions with their ABI names, or with their selectors if no ABI has them", () => {
  const found = listFunctions(
    ["0xa9059cbb", "0x12345678"],
    [
      { name: "One", abi },
      { name: "Two", abi },
    ],
  );
  expect(found).toMatchObject([
    { kind: "known", source: "One", abi: { name: "transfer" } },
    { kind: "unknown", selector: "0x12345678" },
  ]);
});

it("converts typed numbers, lists and tuples to values that encode correctly", () => {
  const who = `0x${"11".repeat(20)}`;
  const { inputs } = parseAbiItem([
    "function set(Pair[] pairs, bool flag, int8 small)",
    "struct Pair { address who; uint256[] amounts; }",
  ]);
  const texts = [JSON.stringify([{ who, amounts: ["1", 2] }, [who, []]]), " true ", "-3"];
  const args = inputs.map((input, at) => toArgument(input, texts[at]!));
  const wanted = [
    [
      { who, amounts: [1n, 2n] },
      { who, amounts: [] },
    ],
    true,
    -3,
  ];
  const encode = (given: unknown[]) => encodeFunctionData({ abi, functionName: "set", args: given as never });
  expect(encode(args)).toBe(encode(wanted));
});

const usdc: AmountUnit[] = [{ symbol: "USDC", decimals: 6, isOwn: true }, ...etherUnits];

it.each([
  ["uint256", "1.5", "amount must be a whole number if it has no unit. To enter a fraction, add a unit: 1.5 USDC."],
  ["uint8", "256", "amount doesn’t fit in uint8."],
  ["uint256", "-1", "amount can’t be negative."],
  ["bool", "yes", "amount must be true or false."],
  ["address", "nobody", "amount must be an address: 0x followed by 40 hex digits."],
  ["address", "0xF39fd6e51aad88F6F4ce6aB8827279cffFb92266", "amount has an invalid checksum. Check it for typos."],
  ["bytes32", "0x1234", "amount must have 32 bytes, but has 2."],
  ["bytes", "0x123", "amount must be hex: 0x followed by two digits per byte."],
  ["uint256[]", "1,2", 'amount must be JSON, such as ["1", "2"].'],
  ["uint256[]", "{}", "amount must be a list."],
])("rejects a wrong %s with a message about the field: %s", (type, text, message) => {
  expect(() => toArgument({ type, name: "amount" }, text, usdc)).toThrow(message);
});

it("rejects other units than the contract's own token for its amounts only", () => {
  const amount = { type: "uint256", name: "value" };
  expect(toArgument(amount, "2.5 USDC", usdc)).toBe(2_500_000n);
  expect(() => toArgument(amount, "2.5 ether", usdc)).toThrow("value can’t be in ether. Use USDC.");
  expect(toArgument({ ...amount, name: "reserve" }, "2.5 ether", usdc)).toBe(25n * 10n ** 17n);
});

it("accepts amounts with units, even in lists, and addresses in any letter case", () => {
  expect(toArgument({ type: "uint256" }, "1.5 USDC", usdc)).toBe(1_500_000n);
  expect(toArgument({ type: "uint256[]" }, '["0.1 ether", 3]', usdc)).toEqual([10n ** 17n, 3n]);
  const checksummed = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266";
  for (const text of [checksummed, checksummed.toLowerCase()]) {
    expect(toArgument({ type: "address" }, text)).toBe(checksummed);
  }
});

it("shows what a field accepts", () => {
  const toShown = (type: string, name = "") => toPlaceholder({ type, name });
  expect(toShown("uint256", "validBefore")).toBe("Unix time in seconds");
  expect(toShown("uint8", "v")).toBe("Whole number");
  expect(toShown("bytes32")).toBe("32 bytes, 0x…");
  expect(toShown("bytes")).toBe("0x…");
  expect(toShown("bool")).toBe("true or false");
  expect(toShown("uint256[]")).toBe('["1", "2"]');
  expect(toShown("string")).toBeUndefined();
});

it("sorts functions by name, tells overloads apart, and puts constants and unknown ones last", () => {
  const overloads = parseAbi([
    "function permit(address owner, address spender, uint256 value, uint256 deadline, bytes signature)",
    "function permit(address owner, bytes signature)",
    "function A_TYPEHASH()",
    "function Approve((address who, uint256[] amounts)[] pairs)",
  ]);
  const known = overloads.map((item) => ({ kind: "known" as const, selector: "", source: "", abi: item }));
  const sorted = sortFunctions([{ kind: "unknown", selector: "0x00000001" }, ...known]);
  const texts = sorted.map((each) =>
    each.kind === "known" ? `${each.abi.name}(${toParameterText((each.abi as AbiFunction).inputs)})` : each.selector,
  );
  expect(texts).toEqual([
    "Approve((address who, uint256[] amounts)[] pairs)",
    "permit(address owner, bytes signature)",
    "permit(address owner, address spender, uint256 value, uint256 deadline, bytes signature)",
    "A_TYPEHASH()",
    "0x00000001",
  ]);
});

it("lists all functions of a pasted ABI if it matches the code or if no selectors were found", () => {
  const names = (selectors: string[]) =>
    listFurtherFunctions(selectors, [{ name: "Mine", abi }]).map((each) => each.abi.name);
  expect(names(["0xa9059cbb"])).toEqual(["set"]);
  expect(names([])).toEqual(["transfer", "set"]);
  expect(names(["0x12345678"])).toEqual([]);
});
