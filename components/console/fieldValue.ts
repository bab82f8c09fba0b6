/**
 * Values of form fields to and from what is typed. What is typed and is no value yet (half a JSON text) is told apart
 * from what is left out.
 */
import type { Field } from "@/lib/rpc/schema/field";

/** undefined is left out; fault: not a value yet. */
export type Typed = { value: unknown } | { fault: true };

/** The text that stands for a value in a field; JSON where it is no text. */
export function toFieldText(field: Field, value: unknown): string {
  if (value === undefined || value === null) return "";
  if (typeof value === "string") return field.kind === "json" ? JSON.stringify(value) : value;
  return JSON.stringify(value, null, field.kind === "json" ? 2 : undefined);
}

const looksLikeJson = /^\s*(\{|\[|-?\d+(\.\d+)?\s*$|true\s*$|false\s*$)/;

export function readFieldText(field: Field, text: string): Typed {
  if (text.trim() === "") return { value: undefined };
  if (field.kind === "number") {
    const number = Number(text);
    return { value: Number.isFinite(number) ? number : text };
  }
  if (field.kind !== "json" && !(field.kind === "text" && field.json && looksLikeJson.test(text))) {
    return { value: text.trim() };
  }
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return field.kind === "json" ? { fault: true } : { value: text.trim() };
  }
}

/** An object without what is left out; undefined where nothing is left and the object may be left out too. */
export function withEntry(
  object: unknown,
  name: string,
  value: unknown,
  required: boolean,
): Record<string, unknown> | undefined {
  const given = typeof object === "object" && object !== null && !Array.isArray(object) ? object : {};
  const next: Record<string, unknown> = { ...given, [name]: value };
  if (value === undefined) delete next[name];
  return Object.keys(next).length === 0 && !required ? undefined : next;
}

/** Params in their positions: one that is left out before a given one is null, and those at the end are not sent. */
export function withParam(params: readonly unknown[], position: number, value: unknown): unknown[] {
  const next = [...params];
  while (next.length <= position) next.push(null);
  next[position] = value ?? null;
  while (next.length > 0 && next.at(-1) === null) next.pop();
  return next;
}

/** What a new item of a list, or a new value of a map, begins as. */
export function toEmptyValue(field: Field): unknown {
  switch (field.kind) {
    case "object":
    case "map":
      return {};
    case "list":
      return [];
    case "boolean":
      return false;
    case "number":
      return 0;
    case "choice":
      return field.choices[0];
    case "json":
      return {};
    case "text":
      return "";
  }
}
