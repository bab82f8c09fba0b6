import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { DirectionTag, toWay } from "@/components/lists/DirectionTag";

const toText = (markup: string) => markup.replace(/<[^>]*>/g, " ").trim();

it("decides the direction from the page's address", () => {
  expect(toWay({ from: "0xa", to: "0xb" }, "0xa")).toBe("out");
  expect(toWay({ from: "0xb", to: "0xa" }, "0xa")).toBe("in");
  expect(toWay({ from: "0xa", to: "0xa" }, "0xa")).toBe("self");
});

it("shortens a word to the direction on phones", () => {
  const draw = (tag: Parameters<typeof DirectionTag>[0]) => renderToStaticMarkup(<DirectionTag {...tag} />);
  expect(toText(draw({ word: "out" }))).toBe("out");
  expect(toText(draw({ word: "internal" }))).toBe("internal");
  expect(draw({ word: "token in", short: "in" })).toMatch(/max-md:hidden">token in<.*md:hidden">in</);
});
