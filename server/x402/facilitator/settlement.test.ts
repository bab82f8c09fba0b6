/**
 * Tests the table of a settlement's states: every state can be reached, every settlement can end, and the README's
 * diagram matches the table.
 */
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { transitions } from "@/server/x402/facilitator/settlement";

const arrows = Object.entries(transitions).flatMap(([from, events]) =>
  Object.entries(events).map(([event, to]) => ({ from, event, to: to as string })),
);
const ends = ["settled", "pending", "failed"];

/**
 * Returns the given states and all states that can be reached from them. If `start` is "to", follows the arrows
 * backward instead.
 */
function spread(starts: readonly string[], start: "from" | "to", end: "from" | "to"): string[] {
  const found = new Set(starts);
  for (const state of found) for (const arrow of arrows) if (arrow[start] === state) found.add(arrow[end]);
  return [...found].sort();
}

it("reaches every state from a request or a failed step", () => {
  expect(spread(["asked", "interrupted"], "from", "to")).toEqual(Object.keys(transitions).sort());
});

it("leads from every state to a final one, and from a final one to none", () => {
  expect(spread(ends, "to", "from")).toEqual(Object.keys(transitions).sort());
  expect(arrows.filter(({ from }) => ends.includes(from))).toEqual([]);
});

it("matches the README's diagram", () => {
  const readme = readFileSync(new URL("README.md", import.meta.url), "utf8");
  const drawn = [...readme.matchAll(/^ {2}(\w+) --> (\w+): (\w+)$/gm)].map(([, from, to, event]) => ({
    from,
    event,
    to,
  }));
  expect(drawn).toEqual(arrows);
});
