/**
 * Converts the JSON Schema for a param or result to a form field and to text. Supports only the kinds of schemas that
 * zod generates for the method declarations. Any other schema becomes a JSON text field.
 */
export type JsonSchema = { readonly [key: string]: unknown };

export type Entry = { name: string; required: boolean; field: Field };

export type Field =
  /** If `json` is set, text that looks like JSON is parsed, and other text is sent as a string. */
  | { kind: "text"; type: string; hint?: string; json?: true }
  | { kind: "choice"; type: string; choices: string[] }
  | { kind: "boolean"; type: string }
  | { kind: "number"; type: string }
  | { kind: "object"; type: string; entries: Entry[] }
  | { kind: "list"; type: string; item: Field }
  | { kind: "map"; type: string; key: string; value: Field }
  | { kind: "json"; type: string };

const asSchemas = (value: unknown): JsonSchema[] => (Array.isArray(value) ? (value as JsonSchema[]) : []);
const asText = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);

/** The alternatives in a schema, without null. Sending null means the same as omitting the value. */
function listAlternatives(schema: JsonSchema): JsonSchema[] {
  const { type } = schema;
  if (Array.isArray(type)) return type.filter((name) => name !== "null").map((name) => ({ ...schema, type: name }));
  const options = asSchemas(schema.anyOf ?? schema.oneOf);
  if (options.length === 0) return [schema];
  return options.flatMap(listAlternatives).filter((option) => option.type !== "null");
}

export function toField(schema: JsonSchema): Field {
  const alternatives = listAlternatives(schema);
  const [only] = alternatives;
  if (alternatives.length === 1 && only) return toPlainField(only);
  const type = toTypeText(schema);
  const list = alternatives.find((option) => option.type === "array");
  const texts = alternatives.filter((option) => option.type === "string");
  const [text] = texts;
  // If a value can be sent as a list or as JSON text, it is shown as a list.
  if (list && text && !text.title && alternatives.length === 2) return toPlainField(list);
  if (text) {
    const { hint, ...field } = toTextField(text);
    const hasNumber = alternatives.some(
      ({ type, pattern }) => type === "integer" || asText(pattern)?.startsWith("^\\d"),
    );
    const hints = hasNumber && hint ? `A decimal number, or a ${hint[0]?.toLowerCase()}${hint.slice(1)}` : hint;
    return { ...field, type, json: true, ...(hints !== undefined && { hint: hints }) };
  }
  return { kind: "json", type };
}

function toTextField(schema: JsonSchema): Field & { kind: "text" } {
  const hint = asText(schema.description);
  return { kind: "text", type: toTypeText(schema), ...(hint !== undefined && { hint }) };
}

function toPlainField(schema: JsonSchema): Field {
  const type = toTypeText(schema);
  const choices = Array.isArray(schema.enum) ? schema.enum : schema.const === undefined ? [] : [schema.const];
  if (choices.length > 0) return { kind: "choice", type, choices: choices.map(String) };
  switch (schema.type) {
    case "string":
      return toTextField(schema);
    case "boolean":
      return { kind: "boolean", type };
    case "integer":
    case "number":
      return { kind: "number", type };
    case "array":
      return schema.items ? { kind: "list", type, item: toField(schema.items as JsonSchema) } : { kind: "json", type };
    case "object":
      return toObjectField(schema, type);
    default:
      return { kind: "json", type };
  }
}

function toObjectField(schema: JsonSchema, type: string): Field {
  if (schema.properties === undefined) {
    const value = schema.additionalProperties;
    if (typeof value !== "object" || value === null) return { kind: "json", type };
    const key = toTypeText((schema.propertyNames ?? {}) as JsonSchema);
    return { kind: "map", type, key, value: toField(value as JsonSchema) };
  }
  const required = new Set(asSchemas(schema.required) as unknown[]);
  const entries = Object.entries(schema.properties as Record<string, JsonSchema>).map(([name, property]) => ({
    name,
    required: required.has(name),
    field: toField(property),
  }));
  return { kind: "object", type, entries };
}

/** Describes a type as text, such as "quantity", "list of hash" or "callTracer or prestateTracer". */
export function toTypeText(schema: JsonSchema): string {
  const alternatives = listAlternatives(schema);
  if (alternatives.length > 1) return [...new Set(alternatives.map(toTypeText))].join(" or ");
  const [only = schema] = alternatives;
  const title = asText(only.title);
  if (title !== undefined) return title;
  if (Array.isArray(only.enum)) return only.enum.join(" or ");
  if (only.const !== undefined) return JSON.stringify(only.const);
  switch (only.type) {
    case "string":
      return "text";
    case "boolean":
    case "integer":
    case "number":
    case "null":
      return only.type;
    case "array":
      return `list of ${toItemText(only.items as JsonSchema | undefined)}`;
    case "object":
      return "object";
    default:
      // zod uses $ref for recursive schemas. In the method declarations, these are always objects.
      return typeof only.$ref === "string" ? "object" : "anything";
  }
}

function toItemText(items: JsonSchema | undefined): string {
  const text = items ? toTypeText(items) : "anything";
  return text.includes(" or ") ? `(${text})` : text;
}

/** A result's shape: its type as text, and its entries if it is an object or a list of objects. */
export type Shape = { type: string; nullable: boolean; entries: { name: string; required: boolean; shape: Shape }[] };

const deepestShape = 6;

export function toShape(schema: JsonSchema, depth = 0): Shape {
  const nullable = [schema, ...asSchemas(schema.anyOf)].some(
    ({ type }) => type === "null" || (Array.isArray(type) && type.includes("null")),
  );
  const type = toTypeText(schema);
  const object = depth < deepestShape ? findObject(schema) : undefined;
  if (!object) return { type, nullable, entries: [] };
  const required = new Set(asSchemas(object.required) as unknown[]);
  const entries = Object.entries((object.properties ?? {}) as Record<string, JsonSchema>).map(([name, property]) => ({
    name,
    required: required.has(name),
    shape: toShape(property, depth + 1),
  }));
  return { type, nullable, entries };
}

/** Finds the object in a schema. It is the schema itself, one of its alternatives, or the items of a list. */
function findObject(schema: JsonSchema): JsonSchema | undefined {
  for (const option of listAlternatives(schema)) {
    if (option.type === "object" && option.properties !== undefined) return option;
    if (option.type === "array" && option.items) {
      const inside = findObject(option.items as JsonSchema);
      if (inside) return inside;
    }
  }
  return undefined;
}
