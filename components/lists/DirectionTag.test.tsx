import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { DirectionTag, toWay } from "@/components/lists/DirectionTag";

it("decides the direction from the page's address", () => {
  expect(toWay({ from: "0xa", to: "0xb" }, "0xa")).toBe("out");
  expect(toWay({ from: "0xb", to: "0xa" }, "0xa")).toBe("in");
  expect(toWay({ from: "0xa", to: "0xa" }, "0xa")).toBe("self");
});

it("leaves a direction to the arrow on phones, but no other role", () => {
  const draw = (word: string) => renderToStaticMarkup(<DirectionTag word={word} />);
  for (const word of ["in", "out", "token in", "token out"]) expect(draw(word), word).toContain("max-md:sr-only");
  for (const word of ["self", "internal", "created"]) expect(draw(word), word).not.toContain("sr-only");
});
