/**
 * Checks a value against a JSON Schema (2020-12) from an untrusted source, and limits the work that this may take.
 * `pattern`, `patternProperties` and `format` are ignored, because evaluating a regular expression can take forever.
 */
import { isDeepStrictEqual } from "node:util";

type Fields = Record<string, unknown>;
type Check = { root: unknown; remaining: number };

/**
 * The budget for one check, far more than real-world schemas need. Every value that is checked or compared costs one
 * unit.
 */
const maxCost = 10_000;
const maxDepth = 64;

/**
 * Whether the value matches the schema. False if the schema is malformed, too complex, or refers to another document.
 */
export function matchesSchema(schema: unknown, value: unknown): boolean {
  return matches({ root: schema, remaining: maxCost }, schema, value, 0);
}

function matches(check: Check, schema: unknown, value: unknown, depth: number): boolean {
  if (typeof schema === "boolean") return schema;
  if (!isFields(schema)) return false;
  check.remaining -=
    1 + toCost(schema.enum) + toCost([schema.const]) + toCost(schema.required) + toCost(schema.$ref) + toCost(value);
  // A schema that is nested too deeply uses up the whole budget, which fails the entire check. Otherwise, an enclosing
  // `not` could turn the failure into a match.
  if (depth > maxDepth) check.remaining = 0;
  if (check.remaining <= 0) return false;
  if (schema.$id !== undefined && !String(schema.$id).startsWith("#")) return false;
  const inner = (next: unknown, part: unknown) => matches(check, next, part, depth + 1);
  return (
    (schema.$ref === undefined || inner(findReferred(check.root, schema.$ref), value)) &&
    matchesValue(schema, value) &&
    matchesCombination(schema, value, inner, check) &&
    (!isFields(value) || matchesObject(schema, value, inner)) &&
    (!Array.isArray(value) || matchesArray(schema, value, inner))
  );
}

type Inner = (schema: unknown, value: unknown) => boolean;

function matchesValue(schema: Fields, value: unknown): boolean {
  const { type, const: only, enum: all } = schema;
  if (type !== undefined && !toList(type).some((name) => isOfType(value, name))) return false;
  if (Object.hasOwn(schema, "const") && !isDeepStrictEqual(value, only)) return false;
  if (all !== undefined && !toList(all).some((each) => isDeepStrictEqual(value, each))) return false;
  if (typeof value === "string") return isWithin([...value].length, schema.minLength, schema.maxLength);
  if (typeof value !== "number") return true;
  const { exclusiveMinimum: above, exclusiveMaximum: below } = schema;
  return (
    isWithin(value, schema.minimum, schema.maximum) &&
    !(typeof above === "number" && value <= above) &&
    !(typeof below === "number" && value >= below)
  );
}

function matchesCombination(schema: Fields, value: unknown, inner: Inner, check: Check): boolean {
  const { allOf = [], anyOf, oneOf, not, if: condition } = schema;
  const holds = (next: unknown) => inner(next, value);
  if (!toList(allOf).every(holds)) return false;
  if (anyOf !== undefined && !toList(anyOf).some(holds)) return false;
  if (oneOf !== undefined && toList(oneOf).filter(holds).length !== 1) return false;
  if (not !== undefined && holds(not)) return false;
  if (condition !== undefined && !holds((holds(condition) ? schema.then : schema.else) ?? true)) return false;
  return check.remaining > 0;
}

function matchesObject(schema: Fields, value: Fields, inner: Inner): boolean {
  const { properties, required = [], additionalProperties: others, propertyNames } = schema;
  const known = isFields(properties) ? properties : {};
  const keys = Object.keys(value);
  // `patternProperties` is ignored, so the keys that it covers aren't known. If it is set, no key counts as additional.
  const isOther = (key: string) => !Object.hasOwn(known, key) && schema.patternProperties === undefined;
  return (
    isWithin(keys.length, schema.minProperties, schema.maxProperties) &&
    toList(required).every((key) => Object.hasOwn(value, String(key))) &&
    keys.every((key) => propertyNames === undefined || inner(propertyNames, key)) &&
    keys.every((key) => !Object.hasOwn(known, key) || inner(known[key], value[key])) &&
    keys.every((key) => others === undefined || !isOther(key) || inner(others, value[key]))
  );
}

function matchesArray(schema: Fields, value: readonly unknown[], inner: Inner): boolean {
  const { prefixItems = [], items, contains } = schema;
  const first = toList(prefixItems);
  return (
    isWithin(value.length, schema.minItems, schema.maxItems) &&
    value.every((item, at) => at >= first.length || inner(first[at], item)) &&
    value.every((item, at) => at < first.length || items === undefined || inner(items, item)) &&
    (contains === undefined || value.some((item) => inner(contains, item)))
  );
}

/** Returns the part of the schema that a reference such as "#/$defs/city" points to. */
function findReferred(root: unknown, reference: unknown): unknown {
  if (typeof reference !== "string" || !/^#(\/|$)/.test(reference)) return undefined;
  const names = reference.split("/").slice(1);
  return names.reduce<unknown>((part, name) => {
    const key = name.replaceAll("~1", "/").replaceAll("~0", "~");
    return typeof part === "object" && part !== null && Object.hasOwn(part, key) ? (part as Fields)[key] : undefined;
  }, root);
}

function isOfType(value: unknown, type: unknown): boolean {
  if (type === "object") return isFields(value);
  if (type === "array") return Array.isArray(value);
  if (type === "null") return value === null;
  if (type === "integer") return Number.isInteger(value);
  return (type === "string" || type === "number" || type === "boolean") && typeof value === type;
}

function isWithin(size: number, least: unknown, most: unknown): boolean {
  return !(typeof least === "number" && size < least) && !(typeof most === "number" && size > most);
}

function toCost(value: unknown): number {
  if (typeof value === "string") return value.length >> 6;
  if (Array.isArray(value)) return value.reduce<number>((sum, each) => sum + (typeof each === "object" ? 100 : 1), 0);
  return isFields(value) ? Object.keys(value).length : 0;
}

function toList(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [value];
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
