/**
 * Generates endless malformed JSON-RPC requests, reproducible from a seed. Some have broken envelopes. Others have
 * params that are made from each method's schema and examples and then broken, or transactions with corrupted bytes.
 */
import { z } from "zod";
import { type MethodName, methods } from "@/lib/rpc/methods";
import type { MethodDefinition } from "@/lib/rpc/schema/define";
import { sampleAddress } from "@/server/rpc/testing/fixedChain";

export type Random = { (): number; int(below: number): number; pick<T>(items: readonly T[]): T };

/** A 32-bit xorshift generator, good enough for fuzzing. */
export function createRandom(seed: number): Random {
  let state = seed | 1;
  const next = () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
  const int = (below: number) => Math.floor(next() * below);
  return Object.assign(next, { int, pick: <T>(items: readonly T[]): T => items[int(items.length)] as T });
}

/**
 * `id` is the ID that the response must have. It is undefined if the request is a notification or not a valid request.
 */
export type Malformed = { text: string; id: unknown };

type JsonSchema = {
  title?: string;
  type?: string;
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  properties?: Record<string, JsonSchema>;
  prefixItems?: JsonSchema[];
  items?: JsonSchema;
  enum?: unknown[];
  const?: unknown;
};

const word = (digits: string) => `0x${digits.repeat(64).slice(0, 64)}`;
const developer = "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266";
const token = "0x534b2f3a21130d7a60830c2df862319e593943a3";

/** Valid and invalid values near the limits of what params allow. */
const edges: readonly unknown[] = [
  ...[
    "",
    "0x",
    "0X1",
    "0x0",
    "0x00",
    "0x1",
    "0x01",
    "0xg",
    "0x-1",
    "-0x1",
    "0x1.5",
    "1",
    "-1",
    " 0x1",
    "0x1\n",
    "0x123",
  ],
  ...[
    "latest",
    "earliest",
    "pending",
    "safe",
    "finalized",
    "Latest",
    "true",
    "null",
    "NaN",
    "undefined",
    "💸",
    "\u0000",
  ],
  ...[
    0,
    -0,
    1,
    -1,
    1.5,
    2 ** 31,
    2 ** 53,
    2 ** 53 + 2,
    -(2 ** 63),
    1e308,
    5e-324,
    true,
    false,
    null,
    [],
    {},
    [[]],
    [null],
  ],
  ...["0xffffffff", "0x7fffffffffffffff", "0xffffffffffffffff", "0x10000000000000000", word("f"), `${word("f")}f`],
  ...[developer, token, developer.toUpperCase(), developer.slice(0, -1), `${developer}0`, word("0"), word("00de")],
  ...["callTracer", "prestateTracer", "structLog", "noTracer", "newHeads", "logs", "newPendingTransactions"],
  ...[
    { blockHash: word("1") },
    { blockNumber: "0x0" },
    { blockNumber: "0x1", blockHash: word("2") },
    { blockNumber: 1 },
  ],
  ...[{ length: 1e9 }, { toString: 1 }, { valueOf: null }, { constructor: { name: 1 } }, { "": "" }],
  ...["x".repeat(5_000), `0x${"00".repeat(3_000)}`, "[", "[[[[", '{"a":', "../../etc/passwd", "%00", "' OR 1=1 --"],
];

/**
 * Plausible values, keyed by the title of their wire format in the schema. Some of them reach deep into the handlers.
 */
const plausible: Record<string, readonly unknown[]> = {
  quantity: ["0x0", "0x1", "0x5208", "0x7a1200", "0x3b9aca00", "0x2540be400", word("f")],
  number: ["0x0", "0x01", word("1"), word("f")],
  data: [
    "0x",
    "0x00",
    "0xfe",
    "0x60016000fd",
    "0x5b600056",
    "0x5f5ff3",
    "0xa9059cbb",
    word("7"),
    `0x${"5b".repeat(600)}`,
  ],
  address: [developer, token, sampleAddress, word("0").slice(0, 42), `0x${"0".repeat(39)}1`, `0x${"0".repeat(39)}a`],
  hash: [word("0"), word("f"), word("00de")],
  "storage key": ["0x0", "0x", word("0"), word("f"), "1"],
  block: ["latest", "earliest", "pending", "safe", "finalized", "0x0", "0x3", "0x7", "0x8", "0xffff", word("1")],
};

function toValue(schema: JsonSchema, random: Random, depth = 0): unknown {
  if (depth > 6 || random() < 0.03) return random.pick(edges);
  const likely = plausible[schema.title ?? ""];
  if (likely) return random.pick(likely);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return toValue(random.pick(choices), random, depth + 1);
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return random.pick(schema.enum);
  if (schema.prefixItems) return schema.prefixItems.map((item) => toValue(item, random, depth + 1));
  if (schema.type === "array") {
    return Array.from({ length: random.int(4) }, () => toValue(schema.items ?? {}, random, depth + 1));
  }
  if (schema.type === "object") {
    // Sets only a few properties. If many were set, at least one would almost always be invalid, and hardly any request
    // would pass the first check.
    const all = Object.entries(schema.properties ?? {});
    const entries = all.filter(() => random() < 3 / all.length);
    return Object.fromEntries(entries.map(([key, inner]) => [key, toValue(inner, random, depth + 1)]));
  }
  if (schema.type === "boolean") return random() < 0.5;
  if (schema.type === "integer" || schema.type === "number") return random.int(20) - 5;
  return random.pick(edges);
}

/** Changes one value somewhere inside a JSON value. */
function breakOnce(value: unknown, random: Random): unknown {
  if (typeof value === "string" && random() < 0.4) return breakText(value, random);
  if (typeof value !== "object" || value === null || random() < 0.15) return random.pick(edges);
  const copy = structuredClone(value) as Record<string, unknown>;
  const keys = Object.keys(copy);
  const key = keys[random.int(keys.length)];
  const what = random();
  if (key === undefined || what < 0.05) {
    if (Array.isArray(copy)) copy.push(random.pick(edges));
    else
      copy[random.pick(["data", "input", "nonce", "__proto__", "unknown", "0", "x".repeat(3_000)])] =
        random.pick(edges);
  } else if (what < 0.15) {
    if (Array.isArray(copy)) copy.splice(Number(key), 1);
    else delete copy[key];
  } else copy[key] = breakOnce(copy[key], random);
  return copy;
}

function breakText(text: string, random: Random): string {
  const at = random.int(text.length + 1);
  return random.pick([
    () => text.slice(0, at),
    () => text.slice(0, at) + random.pick(["0", "g", "\u0000", "é", "0x", " "]) + text.slice(at),
    () => text.toUpperCase(),
    () => text + text,
    () => text.replace("0x", ""),
  ])();
}

/** Changes one bit, one byte or the length of a transaction. The result may still be a valid transaction. */
function tamper(raw: Uint8Array, random: Random): Uint8Array {
  const bytes = Uint8Array.from(raw);
  const at = random.int(bytes.length);
  return random.pick([
    () => bytes.map((byte, position) => (position === at ? byte ^ (1 << random.int(8)) : byte)),
    () =>
      bytes.map((byte, position) =>
        position === at ? random.pick([0, 0x7f, 0x80, 0xb8, 0xbf, 0xc0, 0xf8, 0xff]) : byte,
      ),
    () => bytes.subarray(0, at),
    () => bytes.subarray(at),
    () => Uint8Array.from([...bytes, ...bytes.subarray(at)]),
    () => Uint8Array.from([...bytes.subarray(0, at), random.int(256), ...bytes.subarray(at)]),
    () => Uint8Array.from([random.int(256), ...bytes.subarray(1)]),
    () => Uint8Array.from([random.pick([0, 1, 2, 3, 4, 5, 0x7f]), 0xf9, 0xff, 0xff, ...bytes.subarray(at)]),
  ])();
}

/** Returns a function that creates another malformed request on each call. `raws` are well-formed transactions. */
export function createMalformed(random: Random, raws: readonly Uint8Array[]): () => Malformed {
  const declared = Object.entries(methods).map(([name, definition]) => {
    const { params, examples, paramNames } = definition as unknown as MethodDefinition;
    const schema = z.toJSONSchema(params, { io: "input", unrepresentable: "any" }) as JsonSchema;
    return { name: name as MethodName, schema, examples: examples.map((example) => example.params), paramNames };
  });
  let lastId = 0;

  function toParams({ schema, examples, paramNames }: (typeof declared)[number]): unknown {
    let params = random() < 0.5 ? toValue(schema, random) : structuredClone(random.pick(examples));
    for (let times = random.pick([0, 0, 1, 1, 2]); times > 0; times--) params = breakOnce(params, random);
    if (Array.isArray(params) && random() < 0.1) {
      return Object.fromEntries(params.map((value, position) => [paramNames[position] ?? "other", value]));
    }
    return params;
  }

  function toRequest(id: unknown): Record<string, unknown> {
    if (random() < 0.2) {
      const raw = `0x${Buffer.from(tamper(random.pick(raws), random)).toString("hex")}`;
      const isSync = random() < 0.05;
      const params = isSync ? [raw, 1] : [raw];
      return { jsonrpc: "2.0", id, method: isSync ? "eth_sendRawTransactionSync" : "eth_sendRawTransaction", params };
    }
    const method = random.pick(declared);
    return { jsonrpc: "2.0", id, method: method.name, params: toParams(method) };
  }

  /** Returns something that isn't a request, or a request with a broken envelope. Don't rely on its ID. */
  function toEnvelope(): string {
    const request = toRequest(1);
    const key = random.pick(["jsonrpc", "id", "method", "params"]);
    return random.pick([
      () => JSON.stringify({ ...request, [key]: random.pick(edges) }),
      () => JSON.stringify(breakOnce(request, random)),
      () => breakText(JSON.stringify(request), random),
      () => JSON.stringify(random.pick(edges)),
      () => `${"[".repeat(random.int(3_000))}${JSON.stringify(request)}`,
      () =>
        JSON.stringify(
          Array.from({ length: random.int(5) }, () => (random() < 0.5 ? random.pick(edges) : toRequest(2))),
        ),
    ])();
  }

  return () => {
    if (random() < 0.2) return { text: toEnvelope(), id: undefined };
    lastId += 1;
    const id = random.pick([lastId, String(lastId)]);
    const text = JSON.stringify(toRequest(id));
    return { text: text ?? "", id };
  };
}
