/** A chain that grows is not one that went back, and the other way round. */
import { expect, test } from "vitest";
import { createChainMemory } from "@/components/live/chainMemory";

function createKnown(count: number) {
  const memory = createChainMemory();
  for (let number = 1; number <= count; number++) memory.learn({ number, hash: `a${number}` });
  return memory;
}

test("nothing known, or a block on what is known, goes on", () => {
  expect(createChainMemory().judge({ number: 5, hash: "x", parentHash: "y" })).toBe("next");
  const memory = createKnown(5);
  expect(memory.judge({ number: 6, hash: "a6", parentHash: "a5" })).toBe("next");
  expect(memory.judge({ number: 9, hash: "a9", parentHash: "a8" })).toBe("next");
  expect(memory.judge({ number: 5, hash: "a5", parentHash: "a4" })).toBe("known");
  expect(memory.findNewest()).toEqual({ number: 5, hash: "a5" });
});

test("another block of a known number, on another parent, or below what is kept, went back", () => {
  const memory = createKnown(5);
  expect(memory.judge({ number: 5, hash: "b5", parentHash: "a4" })).toBe("rewound");
  expect(memory.judge({ number: 2, hash: "b2", parentHash: "a1" })).toBe("rewound");
  expect(memory.judge({ number: 6, hash: "b6", parentHash: "b5" })).toBe("rewound");
  expect(memory.judge({ number: 0, hash: "g", parentHash: "0" })).toBe("rewound");
  memory.forget();
  expect(memory.judge({ number: 2, hash: "b2", parentHash: "a1" })).toBe("next");
});

test("only so many blocks are kept, the newest", () => {
  const memory = createKnown(600);
  expect(memory.judge({ number: 600, hash: "a600" })).toBe("known");
  expect(memory.judge({ number: 89, hash: "a89" })).toBe("known");
  expect(memory.judge({ number: 88, hash: "a88" })).toBe("rewound");
});
