import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { Method } from "@/components/atoms/Method";

it.each([
  ["a native transfer", { selector: null, name: null, creates: false }, "send"],
  ["a deployment", { selector: null, name: null, creates: true }, "deploy"],
  ["a known function", { selector: "0xa9059cbb", name: "transfer", creates: false }, "transfer"],
  ["a payment", { selector: "0xe3ee160e", name: "transferWithAuthorization", creates: false }, "payment"],
  ["a payment through a proxy", { selector: "0x12345678", name: "settleWithPermit", creates: false }, "payment"],
  ["an unknown function", { selector: "0x12345678", name: null, creates: false }, "0x12345678"],
  ["data without a selector", { selector: "0x00000000", name: null, creates: false }, "data"],
])("names %s", (_, method, text) => {
  expect(renderToStaticMarkup(<Method {...method} />).replace(/<[^>]*>/g, "")).toBe(text);
});
