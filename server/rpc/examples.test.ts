/** Tests that every declared example runs unchanged on a fresh chain and that its result has the declared shape. */
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { type MethodName, methodList } from "@/lib/rpc/methods";
import { findShapeFault } from "@/server/rpc/testing/exchanges";
import { createTestNode, type TestNode } from "@/server/rpc/testing/testNode";

let node: TestNode;
beforeAll(async () => {
  node = await createTestNode({ isDeveloped: true });
});
afterAll(() => node?.close());

const examples = methodList.flatMap(({ name, examples, paramNames, requires }) =>
  examples.map((example) => ({ name, paramNames, requires, refused: false, ...example })),
);

describe("examples", () => {
  it.each(examples)(
    "of $name match its result shape: $summary",
    async ({ name, params, refused, paramNames, requires }) => {
      expect(params.length).toBeLessThanOrEqual(paramNames.length);
      const request = JSON.stringify({ jsonrpc: "2.0", id: 1, method: name, params });
      // Undoes the example's changes to the chain, so that they don't affect the next example.
      if (requires === "devControls") onTestFinished(() => node.chain.devControls?.reset());
      const answer = (await node.post(request)) as { result?: unknown; error?: { message: string } };
      if (refused) {
        expect(answer.error?.message).toMatch(/\w/);
        expect(answer.result).toBeUndefined();
      } else {
        expect(answer.error).toBeUndefined();
        expect(findShapeFault(name as MethodName, answer.result)).toBeUndefined();
      }
    },
  );
});

it("has a name for every param of every method", () => {
  const wrong = methodList.filter(({ params, paramNames }) => {
    const { prefixItems = [] } = z.toJSONSchema(params, { io: "input", unrepresentable: "any" });
    return (prefixItems as unknown[]).length !== paramNames.length;
  });
  expect(wrong.map(({ name }) => name)).toEqual([]);
});
