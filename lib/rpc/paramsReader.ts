/**
 * Reads a method's params without zod's machinery, by functions that are made once from the method's own schema. It
 * answers what the schema would, or undefined where it will not say: then the schema is asked, which words the fault.
 */
import type { z } from "zod";

/** Thrown nowhere and shown to nobody: what a reader answers for a value that it will not take. */
const refused = Symbol("refused");
type Reader = (value: unknown) => unknown;
type Definition = Record<string, unknown> & { type: string; checks?: Check[] };
type Check = { _zod: { check(payload: { value: unknown; issues: unknown[] }): unknown } };
type AnySchema = { _zod: { def: Definition; optin?: string } };

/** Answers what zod's schema would give for params, or undefined where only the schema can tell. */
export type ParamsReader = (params: readonly unknown[]) => readonly unknown[] | undefined;

/** The reader of a tuple of params; undefined where it holds something that is not understood here. */
export function createParamsReader(schema: z.ZodType<readonly unknown[]>): ParamsReader | undefined {
  const { def } = (schema as unknown as AnySchema)._zod;
  if (def.type !== "tuple" || def.rest || def.checks?.length) return undefined;
  const items = def.items as AnySchema[];
  const readers = items.map(toReader);
  if (!readers.every((reader) => reader !== undefined)) return undefined;
  const needed = items.findLastIndex(({ _zod }) => _zod.optin !== "optional") + 1;
  return (params) => {
    if (params.length < needed || params.length > readers.length) return undefined;
    const read: unknown[] = [];
    for (let at = 0; at < readers.length; at++) {
      const value = readers[at]!(params[at]);
      if (value === refused) return undefined;
      read.push(value);
    }
    // What was not given and has no default is not there.
    while (read.length > params.length && read.at(-1) === undefined) read.pop();
    return read;
  };
}

function toReader(schema: AnySchema): Reader | undefined {
  const { def } = schema._zod;
  const read = toBareReader(def);
  return read && def.checks?.length ? withChecks(read, def.checks) : read;
}

function toBareReader(def: Definition): Reader | undefined {
  switch (def.type) {
    case "any":
    case "unknown":
      return (value) => value;
    case "string":
      // A string that is more than a string, as a URL, is the schema's to judge.
      return def.format === undefined && !def.coerce
        ? (value) => (typeof value === "string" ? value : refused)
        : undefined;
    case "boolean":
      return def.coerce ? undefined : (value) => (typeof value === "boolean" ? value : refused);
    case "number":
      if (def.coerce || (def.format !== undefined && def.format !== "safeint")) return undefined;
      return def.format === "safeint"
        ? (value) => (Number.isSafeInteger(value) ? value : refused)
        : (value) => (Number.isFinite(value) ? value : refused);
    case "bigint":
      return def.coerce ? undefined : (value) => (typeof value === "bigint" ? value : refused);
    case "enum":
      return toOneOf(Object.values(def.entries as object));
    case "literal":
      return toOneOf(def.values as unknown[]);
    case "optional":
      return toAbsentReader(def, (value) => value === undefined);
    case "nullable":
      return toAbsentReader(def, (value) => value === null);
    case "array":
      return toArrayReader(def);
    case "union":
      return toUnionReader(def);
    case "object":
      return toObjectReader(def);
    case "record":
      return toRecordReader(def);
    case "pipe":
      return toPipeReader(def);
    case "transform":
      return toTransformReader(def.transform as Transform);
    default:
      return undefined;
  }
}

function toOneOf(values: unknown[]): Reader {
  const known = new Set(values);
  return (value) => (known.has(value) ? value : refused);
}

function toAbsentReader(def: Definition, isAbsent: (value: unknown) => boolean): Reader | undefined {
  const read = toReader(def.innerType as AnySchema);
  return read && ((value) => (isAbsent(value) ? value : read(value)));
}

function toArrayReader(def: Definition): Reader | undefined {
  const read = toReader(def.element as AnySchema);
  return (
    read &&
    ((value) => {
      if (!Array.isArray(value)) return refused;
      const items: unknown[] = [];
      for (const item of value) {
        const one = read(item);
        if (one === refused) return refused;
        items.push(one);
      }
      return items;
    })
  );
}

/** As in the schema the first that takes the value has it. */
function toUnionReader(def: Definition): Reader | undefined {
  const readers = (def.options as AnySchema[]).map(toReader);
  if (def.inclusive === false || !readers.every((reader) => reader !== undefined)) return undefined;
  return (value) => {
    for (const read of readers) {
      const one = read(value);
      if (one !== refused) return one;
    }
    return refused;
  };
}

/** Keys that the schema does not name are left out, or refused where it is strict; any other rest is the schema's. */
function toObjectReader(def: Definition): Reader | undefined {
  const rest = (def.catchall as AnySchema | undefined)?._zod.def.type;
  if (rest !== undefined && rest !== "never") return undefined;
  const shape = def.shape as Record<string, AnySchema>;
  const fields = Object.entries(shape).map(([key, schema]) => ({
    key,
    read: toReader(schema),
    isOptional: schema._zod.optin === "optional",
  }));
  if (!fields.every(({ read }) => read !== undefined)) return undefined;
  return (value) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return refused;
    const given = value as Record<string, unknown>;
    if (rest === "never" && !Object.keys(given).every((key) => Object.hasOwn(shape, key))) return refused;
    const object: Record<string, unknown> = {};
    for (const { key, read, isOptional } of fields) {
      const isGiven = Object.hasOwn(given, key);
      if (!isGiven && !isOptional) return refused;
      const one = read!(isGiven ? given[key] : undefined);
      if (one === refused) return refused;
      if (isGiven || one !== undefined) object[key] = one;
    }
    return object;
  };
}

/** Keys are read too: an address in capitals is another key after it. */
function toRecordReader(def: Definition): Reader | undefined {
  const readKey = toReader(def.keyType as AnySchema);
  const read = toReader(def.valueType as AnySchema);
  if (!readKey || !read || def.mode !== undefined) return undefined;
  return (value) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return refused;
    const record: Record<string, unknown> = {};
    for (const [key, entry] of Object.entries(value)) {
      const name = readKey(key);
      const one = name === refused ? refused : read(entry);
      if (one === refused || name === "__proto__") return refused;
      record[name as string] = one;
    }
    return record;
  };
}

type Payload = { value: unknown; issues: unknown[] };
type Transform = (value: unknown, payload: Payload) => unknown;

/** Shared by all payloads: a function made for each would be most of what a value costs. */
function addIssue(this: Payload, issue: unknown): void {
  this.issues.push(issue);
}

function toTransformReader(transform: Transform): Reader {
  return (value) => {
    const payload = { value, issues: [], addIssue };
    const result = transform(value, payload);
    return payload.issues.length > 0 || result instanceof Promise ? refused : result;
  };
}

/** A codec decodes between its two sides; a plain pipe has nothing between. */
function toPipeReader(def: Definition): Reader | undefined {
  const first = toReader(def.in as AnySchema);
  const last = toReader(def.out as AnySchema);
  if (!first || !last) return undefined;
  const between = def.transform === undefined ? undefined : toTransformReader(def.transform as Transform);
  return (value) => {
    const read = first(value);
    if (read === refused) return refused;
    const decoded = between ? between(read) : read;
    return decoded === refused ? refused : last(decoded);
  };
}

/** The schema's own checks; one that finds anything, or takes its time, leaves the value to the schema. */
function withChecks(read: Reader, checks: readonly Check[]): Reader {
  return (value) => {
    const one = read(value);
    if (one === refused) return refused;
    const payload = { value: one, issues: [] };
    for (const { _zod } of checks) {
      if (_zod.check(payload) instanceof Promise || payload.issues.length > 0) return refused;
    }
    return payload.value;
  };
}
