/**
 * Converts form values to and from the text in a field. Distinguishes an incomplete value, such as unfinished JSON,
 * from an omitted one.
 */
import type { Field } from "@/lib/rpc/schema/field";

/** If `value` is undefined, the param is omitted. If `fault` is set, the text isn't valid yet. */
export type Typed = { value: unknown } | { fault: true };

/** The text that a field shows for a value. If the value isn't a string, this is JSON. */
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

/**
 * Sets one entry of an object, or removes it if the value is undefined. An optional object becomes undefined when it is
 * empty.
 */
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

/** Sets one positional param. Omitted params become null, but omitted params at the end are dropped. */
export function withParam(params: readonly unknown[], position: number, value: unknown): unknown[] {
  const next = [...params];
  while (next.length <= position) next.push(null);
  next[position] = value ?? null;
  while (next.length > 0 && next.at(-1) === null) next.pop();
  return next;
}

/** The initial value of a new list item or map entry. */
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
