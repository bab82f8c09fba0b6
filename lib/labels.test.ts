/** Tests which label files are accepted, and that labels can't hide or reorder the text around them. */
import { expect, it } from "vitest";
import { maxLabels, parseLabels } from "@/lib/labels";

const address = `0x${"Ab".repeat(20)}`;

it("reads names by address, in lowercase and without direction marks", () => {
  expect(parseLabels(JSON.stringify({ [address]: " Trea\u202esury\n one " }))).toEqual({
    [address.toLowerCase()]: "Treasury one",
  });
  expect(parseLabels("{}")).toEqual({});
});

it("cuts long labels", () => {
  const [label = ""] = Object.values(parseLabels(JSON.stringify({ [address]: "a".repeat(500) })));
  expect(label).toHaveLength(40);
});

it.each([
  ["{", "Labels must be valid JSON."],
  ["[]", "Labels must be a JSON object"],
  ['{"0x12":"a"}', "“0x12” is not an address."],
  [JSON.stringify({ [address]: 5 }), "must be a string with visible characters"],
  [JSON.stringify({ [address]: "\u202e" }), "must be a string with visible characters"],
])("rejects %s", (text, message) => {
  expect(() => parseLabels(text)).toThrow(message);
});

it("limits the number of labels", () => {
  const many = Array.from({ length: maxLabels + 1 }, (_, index) => [`0x${String(index).padStart(40, "0")}`, "a"]);
  expect(() => parseLabels(JSON.stringify(Object.fromEntries(many)))).toThrow(`the limit is ${maxLabels}`);
});
