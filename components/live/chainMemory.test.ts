/** Tests that the page's memory of the chain can tell a growing chain from a rewound one. */
import { expect, test } from "vitest";
import { createChainMemory } from "@/components/live/chainMemory";

function createKnown(count: number) {
  const memory = createChainMemory();
  for (let number = 1; number <= count; number++) memory.learn({ number, hash: `a${number}` });
  return memory;
}

test("accepts any block at first, then blocks that extend the known chain", () => {
  expect(createChainMemory().judge({ number: 5, hash: "x", parentHash: "y" })).toBe("next");
  const memory = createKnown(5);
  expect(memory.judge({ number: 6, hash: "a6", parentHash: "a5" })).toBe("next");
  expect(memory.judge({ number: 9, hash: "a9", parentHash: "a8" })).toBe("next");
  expect(memory.judge({ number: 5, hash: "a5", parentHash: "a4" })).toBe("known");
  expect(memory.findNewest()).toEqual({ number: 5, hash: "a5" });
});

test("detects a rewind from a different hash or parent, or from a block below the oldest known one", () => {
  const memory = createKnown(5);
  expect(memory.judge({ number: 5, hash: "b5", parentHash: "a4" })).toBe("rewound");
  expect(memory.judge({ number: 2, hash: "b2", parentHash: "a1" })).toBe("rewound");
  expect(memory.judge({ number: 6, hash: "b6", parentHash: "b5" })).toBe("rewound");
  expect(memory.judge({ number: 0, hash: "g", parentHash: "0" })).toBe("rewound");
  memory.forget();
  expect(memory.judge({ number: 2, hash: "b2", parentHash: "a1" })).toBe("next");
});

test("remembers only the newest blocks", () => {
  const memory = createKnown(600);
  expect(memory.judge({ number: 600, hash: "a600" })).toBe("known");
  expect(memory.judge({ number: 89, hash: "a89" })).toBe("known");
  expect(memory.judge({ number: 88, hash: "a88" })).toBe("rewound");
});
