/** Tests every method's form and result shape, and that each example can be entered in its method's form. */
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { methods } from "@/lib/rpc/methods";
import { type Field, toField, toShape, toTypeText } from "@/lib/rpc/schema/field";

/** Whether a form with these fields can hold the value. */
function canHold(field: Field, value: unknown): boolean {
  if (value === null || value === undefined || field.kind === "json") return true;
  switch (field.kind) {
    case "text":
      return typeof value === "string" || field.json === true;
    case "choice":
      return field.choices.includes(String(value));
    case "boolean":
      return typeof value === "boolean";
    case "number":
      return typeof value === "number";
    case "list":
      return Array.isArray(value) && value.every((item) => canHold(field.item, item));
    case "map":
      return typeof value === "object" && Object.values(value).every((item) => canHold(field.value, item));
    case "object":
      return (
        typeof value === "object" &&
        Object.entries(value).every(([name, item]) => {
          const entry = field.entries.find((candidate) => candidate.name === name);
          return entry !== undefined && canHold(entry.field, item);
        })
      );
  }
}

const toSchema = (type: z.ZodType, io: "input" | "output") => z.toJSONSchema(type, { io, unrepresentable: "any" });

describe("the form", () => {
  it.each(Object.values(methods).map(({ name, params, examples }) => ({ name, params, examples })))(
    "for $name can represent each of its examples",
    ({ params, examples }) => {
      const { prefixItems = [] } = toSchema(params, "input");
      const fields = (prefixItems as Record<string, unknown>[]).map(toField);
      for (const { params: given } of examples) {
        expect(given.every((value, position) => fields[position] && canHold(fields[position], value))).toBe(true);
      }
    },
  );

  it("has non-text fields for non-text params", () => {
    const [transaction, block, overrides] = (toSchema(methods.eth_call.params, "input").prefixItems ?? []) as Record<
      string,
      unknown
    >[];
    expect(toField(block ?? {})).toMatchObject({ kind: "text", type: "block or object", json: true });
    expect(toField(overrides ?? {})).toMatchObject({ kind: "map", value: { kind: "object" } });
    const call = toField(transaction ?? {});
    const kinds = call.kind === "object" ? call.entries.map(({ name, field }) => `${name} ${field.kind}`) : [];
    expect(kinds).toEqual(expect.arrayContaining(["to text", "accessList list", "authorizationList list"]));
    const [filter] = (toSchema(methods.eth_getLogs.params, "input").prefixItems ?? []) as Record<string, unknown>[];
    expect(toField(filter ?? {})).toMatchObject({ kind: "object" });
  });
});

it("describes types as text", () => {
  const filter = toSchema(methods.eth_getLogs.params, "input").prefixItems?.[0] as { properties: { topics: object } };
  expect(toTypeText({ ...filter.properties.topics })).toBe("list of (hash or list of hash)");
  expect(toTypeText({ type: ["integer", "null"] })).toBe("integer");
  expect(toTypeText({ enum: ["a", "b"] })).toBe("a or b");
  expect(toTypeText({})).toBe("anything");
});

it("describes results down to their last field and stops at recursive types", () => {
  const block = toShape({ ...toSchema(methods.eth_getBlockByNumber.result, "output") });
  expect(block).toMatchObject({ type: "object", nullable: true });
  const transactions = block.entries.find(({ name }) => name === "transactions");
  expect(transactions?.shape.type).toBe("list of hash or list of object");
  expect(transactions?.shape.entries.map(({ name }) => name)).toContain("maxFeePerGas");
  expect(toShape({ ...toSchema(methods.explorer_decode.result, "output") }).type).toBe("list of list of object");
});
