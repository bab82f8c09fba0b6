/**
 * The keyboard map: pairs, single keys, and that no binding hides another.
 */
import { expect, test } from "vitest";
import { findAction, keyBindings } from "@/components/layout/keys";

test("a pair is completed by its second key alone", () => {
  expect(findAction("g", undefined)).toBeUndefined();
  expect(findAction("t", "g")).toEqual({ kind: "go", to: "txs" });
  expect(findAction("t", undefined)).toEqual({ kind: "theme" });
  expect(findAction("t", "x")).toEqual({ kind: "theme" });
});

test("every binding is reachable", () => {
  for (const { keys, action } of keyBindings) {
    const [first, second] = keys;
    expect(second === undefined ? findAction(first!, undefined) : findAction(second, first)).toEqual(action);
  }
});
