/** Tests which option the arrow keys select. */
import { expect, it } from "vitest";
import { findNextOption } from "@/components/search/useCombobox";

it("moves through the options and wraps at the ends", () => {
  expect([-1, 0, 1, 2].map((active) => findNextOption("ArrowDown", active, 3))).toEqual([0, 1, 2, 0]);
  expect([-1, 0, 1, 2].map((active) => findNextOption("ArrowUp", active, 3))).toEqual([2, 2, 0, 1]);
});

it("ignores other keys and an empty list", () => {
  for (const key of ["Enter", "Escape", "a"]) expect(findNextOption(key, 0, 3)).toBeUndefined();
  for (const key of ["ArrowDown", "ArrowUp"]) expect(findNextOption(key, -1, 0)).toBeUndefined();
});
