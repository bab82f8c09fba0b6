import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { DirectionTag, toWay } from "@/components/lists/DirectionTag";

const toText = (markup: string) => markup.replace(/<[^>]*>/g, " ").trim();

it("decides the direction from the page's address", () => {
  expect(toWay({ from: "0xa", to: "0xb" }, "0xa")).toBe("out");
  expect(toWay({ from: "0xb", to: "0xa" }, "0xa")).toBe("in");
  expect(toWay({ from: "0xa", to: "0xa" }, "0xa")).toBe("self");
});

it("has an arrow only for in and out, and shortens other words on phones", () => {
  const draw = (tag: Parameters<typeof DirectionTag>[0]) => renderToStaticMarkup(<DirectionTag {...tag} />);
  expect(draw({ way: "out" })).toContain("<svg");
  expect(draw({ way: "self" })).not.toContain("<svg");
  expect(draw({ word: "internal" })).not.toContain("<svg");
  expect(toText(draw({ word: "internal" }))).toBe("internal");
  const token = draw({ word: "token in", way: "in" });
  expect(token).not.toContain("<svg");
  expect(token).toMatch(/max-md:hidden">token in<.*md:hidden">in</);
});
