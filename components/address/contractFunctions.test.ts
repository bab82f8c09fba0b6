/** Tests the list of a contract's functions, and the conversion of typed text to the encoder's values. */
import { encodeFunctionData, parseAbi, parseAbiItem } from "viem";
import { expect, it } from "vitest";
import { listFunctions, listFurtherFunctions, toArgument, toResultText } from "@/components/address/contractFunctions";

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

it("rejects a value that does not fit its type, with a clear message", () => {
  expect(() => toArgument({ type: "uint256" }, "1.5")).toThrow("uint256 must be a whole number.");
  expect(() => toArgument({ type: "bool" }, "yes")).toThrow("bool must be true or false.");
  expect(() => toArgument({ type: "uint256[]" }, "1,2")).toThrow("uint256[] must be JSON");
  expect(() => toArgument({ type: "uint256[]" }, "{}")).toThrow("uint256[] must be a list.");
});

it("shows results without shortening them", () => {
  expect(toResultText(2n ** 255n)).toBe(`"${2n ** 255n}"`);
  expect(toResultText("text")).toBe("text");
});

it("lists all functions of a pasted ABI if it matches the code or if no selectors were found", () => {
  const names = (selectors: string[]) =>
    listFurtherFunctions(selectors, [{ name: "Mine", abi }]).map((each) => each.abi.name);
  expect(names(["0xa9059cbb"])).toEqual(["set"]);
  expect(names([])).toEqual(["transfer", "set"]);
  expect(names(["0x12345678"])).toEqual([]);
});
