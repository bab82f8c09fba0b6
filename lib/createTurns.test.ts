/** Tests that tasks run one at a time, in order, even after a failure. */
import { expect, it } from "vitest";
import { createTurns } from "@/lib/createTurns";

it("runs one task at a time, in order, and continues after a failure", async () => {
  const inTurn = createTurns();
  const seen: string[] = [];
  const toTask = (name: string) => async () => {
    seen.push(`${name} begins`);
    await Promise.resolve();
    seen.push(`${name} ends`);
    if (name === "b") throw new Error("b failed");
    return name;
  };
  const turns = await Promise.allSettled(["a", "b", "c"].map((name) => inTurn(toTask(name))));
  expect(turns.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  expect(seen).toEqual(["a begins", "a ends", "b begins", "b ends", "c begins", "c ends"]);
});
