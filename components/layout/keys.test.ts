/** Tests the keyboard shortcuts: single keys and pairs of keys, their labels, and that no shortcut hides another. */
import { expect, test } from "vitest";
import { toKeyLabel } from "@/components/layout/keyLabels";
import { findAction, keyBindings, paletteKeys } from "@/components/layout/keys";

test("completes a pair only with its second key", () => {
  expect(findAction("g", undefined)).toBeUndefined();
  expect(findAction("t", "g")).toEqual({ kind: "go", to: "txs" });
  expect(findAction("t", undefined)).toEqual({ kind: "theme" });
  expect(findAction("t", "x")).toEqual({ kind: "theme" });
});

test("has no key binding that hides another", () => {
  for (const { keys, action } of keyBindings) {
    const [first, second] = keys;
    expect(second === undefined ? findAction(first!, undefined) : findAction(second, first)).toEqual(action);
  }
});

test("has a label for every key, each used once", () => {
  const labels = [paletteKeys, ...keyBindings.map(({ keys }) => keys)].map(toKeyLabel);
  expect(new Set(labels).size).toBe(keyBindings.length + 1);
});
