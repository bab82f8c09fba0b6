/** Tests schemas from untrusted sources: which values they accept, and that no schema can keep the server busy. */
import { describe, expect, it } from "vitest";
import { matchesSchema } from "@/server/x402/facilitator/jsonSchema";

const city = {
  type: "object",
  properties: { city: { type: "string", minLength: 2, maxLength: 4 }, days: { type: "integer", minimum: 1 } },
  required: ["city"],
  additionalProperties: false,
};

describe("matchesSchema", () => {
  it.each<[accepts: string, schema: unknown, matching: unknown[], others: unknown[]]>([
    ["any value", {}, [1, null, {}], []],
    ["nothing", false, [], [1, {}]],
    ["an object's fields", city, [{ city: "Bern" }, { city: "Köln", days: 1 }], [{}, { city: "B" }, { city: "Basel" }]],
    ["no field too many", city, [], [{ city: "Bern", town: 1 }, { city: "Bern", days: 0.5 }, [], "Bern"]],
    ["one of several types", { type: ["string", "null"] }, ["", null], [1, {}, []]],
    ["a constant", { const: { a: [1] } }, [{ a: [1] }], [{ a: [2] }, undefined]],
    ["listed values", { enum: ["GET", 1] }, ["GET", 1], ["POST", "1"]],
    ["numbers in a range", { minimum: 1, exclusiveMaximum: 2 }, [1, 1.5], [0, 2]],
    [
      "lists",
      { items: { type: "number" }, minItems: 1, prefixItems: [{ const: 0 }] },
      [[0], [0, 1]],
      [[], [1], [0, ""]],
    ],
    ["a list with a member", { contains: { const: 1 } }, [[0, 1]], [[], [0]]],
    [
      "combinations",
      { allOf: [{ type: "number" }], anyOf: [{ const: 1 }, { const: 2 }], not: { const: 2 } },
      [1],
      [2, 3],
    ],
    ["exactly one", { oneOf: [{ minimum: 1 }, { maximum: 1 }] }, [0, 2], [1]],
    ["a condition", JSON.parse('{"if":{"const":1},"then":false,"else":{"const":2}}'), [2], [1, 3]],
    ["named keys", { propertyNames: { maxLength: 1 }, maxProperties: 1 }, [{ a: 1 }], [{ ab: 1 }, { a: 1, b: 2 }]],
    ["its own definitions", { $ref: "#/$defs/a~1b", $defs: { "a/b": { const: 1 } } }, [1], [2]],
    ["no other documents", { $ref: "https://example.org/schema" }, [], [1]],
    ["no identity elsewhere", { $id: "https://example.org/schema" }, [], [1]],
    ["no malformed schema", { type: "strin" }, [], ["a", 1]],
  ])("accepts %s", (_, schema, matching, others) => {
    expect(matching.filter((value) => !matchesSchema(schema, value))).toEqual([]);
    expect(others.filter((value) => matchesSchema(schema, value))).toEqual([]);
  });

  it("gives up on a schema that would take forever, even inside a negation", () => {
    const doubling = Object.fromEntries(
      Array.from({ length: 60 }, (_, at) => [`a${at}`, { allOf: [0, 1].map(() => ({ $ref: `#/$defs/a${at + 1}` })) }]),
    );
    const $defs = { ...doubling, a60: {}, self: { $ref: "#/$defs/self" } };
    for (const $ref of ["#/$defs/a0", "#/$defs/self"]) {
      expect(matchesSchema({ $ref, $defs }, 1)).toBe(false);
      expect(matchesSchema({ not: { $ref }, $defs }, 1)).toBe(false);
      expect(matchesSchema({ if: { $ref }, else: true, $defs }, 1)).toBe(false);
    }
  });

  it("gives up on a long reference that is followed again and again", () => {
    const long = { anyOf: [{ $ref: `#${"/a".repeat(6_000)}` }, {}] };
    expect(matchesSchema({ items: long }, Array(20).fill(0))).toBe(true);
    expect(matchesSchema({ items: long }, Array(200).fill(0))).toBe(false);
  });

  it("ignores regular expressions, which could take forever", () => {
    expect(matchesSchema({ pattern: "^(a+)+$" }, `${"a".repeat(60)}!`)).toBe(true);
  });
});
