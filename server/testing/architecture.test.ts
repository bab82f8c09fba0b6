/**
 * Checks the architecture rules for every source file: the order of rooms (layers), which is read from the table in
 * ARCHITECTURE.md, and rules about imports and text. Each rule also has a test that shows that it detects a violation.
 */
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));

type Import = { target: string; isType: boolean };
type Source = { path: string; text: string; imports: Import[] };

/** Removes comments but not strings, because a string may contain a forbidden color or error code. */
function stripComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, "").replace(/(^|[^:"'`\\])\/\/[^\n]*/g, "$1");
}

/**
 * Lists the project paths and package names that a file imports with `import`, `export from`, dynamic `import()` or
 * `new URL()`.
 */
function listImports(path: string, text: string): Import[] {
  const code = stripComments(text);
  const toTarget = (specifier: string) => {
    if (specifier.startsWith("@/")) return specifier.slice(2);
    if (specifier.startsWith(".")) return normalize(join(dirname(path), specifier)).replaceAll("\\", "/");
    return specifier;
  };
  return [
    ...code.matchAll(/\b(?:import|export)\b(\s+type\b)?[^;'"]*?\bfrom\s*["']([^"']+)["']/g),
    ...code.matchAll(/\bimport()\s*\(?\s*["']([^"']+)["']/g),
    ...code.matchAll(/\bnew URL()\(\s*["'](\.[^"']+)["']/g),
  ].map(([, type, specifier = ""]) => ({ target: toTarget(specifier), isType: Boolean(type) }));
}

const toSource = (path: string, text: string): Source => ({ path, text, imports: listImports(path, text) });

function readSources(): Source[] {
  const paths = ["app", "components", "lib", "server"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map((path) =>
      `${folder}/${path}`.replaceAll("\\", "/"),
    ),
  );
  return paths
    .filter((path) => /\.(ts|tsx|mjs|css)$/.test(path))
    .map((path) => toSource(path, readFileSync(join(root, path), "utf8")));
}

/**
 * Whether a file is a test, or in a testing/ folder that only tests and tools import. Such files may import anything,
 * because they combine the real parts.
 */
const isTest = (path: string) => /\.test\.tsx?$|\/testing\//.test(path);

/** The rooms in ARCHITECTURE.md's table, from top to bottom. */
function readRooms(text: string): string[] {
  const table = text.slice(text.indexOf("## Rooms"), text.indexOf("Outside `server/`:"));
  return [...table.matchAll(/^\| `(server\/[\w/-]+)\/` \|/gm)].map(([, room = ""]) => room);
}

/** Finds the room that a path belongs to. If several rooms match, the one with the longest path counts. */
function findRoom(rooms: readonly string[], path: string): string | undefined {
  return rooms.filter((room) => path.startsWith(`${room}/`)).sort((a, b) => b.length - a.length)[0];
}

const toRoomed = (sources: readonly Source[]) =>
  sources.filter(({ path }) => path.startsWith("server/") && /\.(ts|mjs)$/.test(path) && !isTest(path));

/** Lists the server files that are in no room. */
function listHomeless(rooms: readonly string[], sources: readonly Source[]): string[] {
  return toRoomed(sources)
    .map(({ path }) => path)
    .filter((path) => !findRoom(rooms, path));
}

/** Lists the imports from a room that is above the importing file's room. */
function listClimbs(rooms: readonly string[], sources: readonly Source[]): string[] {
  return toRoomed(sources).flatMap(({ path, imports }) => {
    const from = findRoom(rooms, path);
    return imports.flatMap(({ target }) => {
      const to = findRoom(rooms, target);
      const isClimb = from && to && rooms.indexOf(to) < rooms.indexOf(from);
      return isClimb ? [`${path} imports ${target}: ${to} is above ${from}`] : [];
    });
  });
}

/** Lists the pairs of rooms that depend on each other, directly or through other rooms. */
function listCircles(rooms: readonly string[], sources: readonly Source[]): string[] {
  const reached = new Map<string, Set<string>>(rooms.map((room) => [room, new Set()]));
  for (const { path, imports } of toRoomed(sources)) {
    const from = findRoom(rooms, path);
    for (const { target } of imports) {
      const to = findRoom(rooms, target);
      if (from && to && to !== from) reached.get(from)?.add(to);
    }
  }
  for (const over of rooms) {
    for (const found of reached.values())
      if (found.has(over)) for (const room of reached.get(over) ?? []) found.add(room);
  }
  return rooms.flatMap((one, at) =>
    rooms
      .slice(at + 1)
      .filter((other) => reached.get(one)?.has(other) && reached.get(other)?.has(one))
      .map((other) => `${one} and ${other}`),
  );
}

type Rule = {
  name: string;
  /** The files that the rule applies to. */
  files: RegExp;
  except?: RegExp;
  /** Imports that break the rule. */
  imports?: RegExp;
  /**
   * Imports that are allowed even though `imports` matches them. Those in `allowedTypes` may only be imported as types.
   */
  allowed?: RegExp;
  allowedTypes?: RegExp;
  /** Text that the rule forbids, except in comments. */
  text?: RegExp;
  /** An example of a file that breaks the rule. */
  sample: { path: string; text: string };
};

const rules: Rule[] = [
  {
    name: "x402 reaches a network only through its request function and imports neither chain nor rpc",
    files: /^server\/x402\//,
    imports: /^server\/(chain|rpc|remote|execution|evm)(\/|$)/,
    sample: { path: "server/x402/a.ts", text: 'import type { Chain } from "@/server/chain/chain";' },
  },
  {
    name: "only storage/open.ts imports a storage adapter",
    files: /^(server|app|lib|components)\//,
    except: /^server\/storage\/(open\.ts$|sqlite\/|postgres\/)/,
    imports: /^(server\/storage\/(sqlite|postgres)(\/(?!testing\/)|$)|better-sqlite3|pg$)/,
    sample: { path: "server/chain/a.ts", text: 'import { openSqlite } from "../storage/sqlite/driver";' },
  },
  {
    name: "only execution runs the EVM",
    files: /^(server|app|lib|components)\//,
    // Benchmarks compare several ways of running the EVM.
    except: /^server\/(evm|execution|tools\/bench)\//,
    imports: /^server\/evm\//,
    // The executor's port uses these types for its jobs and results.
    allowedTypes: /^server\/evm\//,
    sample: { path: "server/rpc/a.ts", text: 'const evm = await import("@/server/evm/machine");' },
  },
  {
    name: "the EVM imports only ethereum from the server",
    files: /^server\/evm\//,
    imports: /^server\/(?!(evm|ethereum)\/)/,
    sample: { path: "server/evm/a.ts", text: 'import type { Store } from "@/server/ports/store";' },
  },
  {
    name: "ports contain only types",
    files: /^server\/ports\//,
    text: /^(?:export )?(?:default |async )*(?:const|let|var|function|class)\b|^import (?!type\b)/m,
    sample: { path: "server/ports/a.ts", text: "export const limit = 3;" },
  },
  {
    name: "bin runs before anything is installed and imports only config's plain JavaScript from the server",
    files: /^server\/bin\//,
    imports: /^server\/(?!bin\/|config\/(environment|commandLine)\.mjs$)/,
    sample: { path: "server/bin/a.mjs", text: 'import { log } from "../log/log";' },
  },
  {
    name: "only tests and tools import test code",
    files: /^(server|app|lib|components)\//,
    except: /^server\/tools\//,
    imports: /\.test$|\/testing\//,
    sample: { path: "server/chain/a.ts", text: 'import { openTestChain } from "./testing/testChain";' },
  },
  {
    name: "only tests import the reference EVM",
    files: /^(server|app|lib|components)\//,
    // Benchmarks compare the reference EVM with our own.
    except: /^server\/tools\/bench\//,
    imports: /^@ethereumjs\//,
    sample: { path: "server/evm/a.ts", text: 'import { createEVM } from "@ethereumjs/evm";' },
  },
  {
    name: "components reach the server only over JSON-RPC, the stream and HTTP",
    files: /^components\//,
    imports: /^(server|app)(\/|$)/,
    sample: { path: "components/chain/A.tsx", text: 'import { getNode } from "@/server/node/instance";' },
  },
  {
    name: "lib is isomorphic and imports neither server, components, app nor Node's modules",
    files: /^lib\//,
    imports: /^((server|components|app)(\/|$)|node:)/,
    sample: { path: "lib/a.ts", text: 'import { readFileSync } from "node:fs";' },
  },
  {
    name: "app imports only node/instance.ts, node/withPayment.ts and the http adapters from the server",
    files: /^app\//,
    imports: /^server(\/|$)/,
    allowed: /^server\/(node\/(instance|withPayment)|http\/\w+)$/,
    allowedTypes: /^server\/node\/node$/,
    sample: { path: "app/page.tsx", text: 'import { log } from "@/server/log/log";' },
  },
  {
    name: "server imports no pages or components",
    files: /^server\//,
    imports: /^(app|components)(\/|$)/,
    sample: { path: "server/a.ts", text: 'export * from "../components/chain/Hash";' },
  },
  {
    name: "only server/rpc/errors.ts contains JSON-RPC error codes of ours",
    files: /^(server|app|lib|components)\//,
    // The last two files are exceptions because they read the error codes of other nodes and wallets.
    except: /^(server\/rpc\/errors\.ts|server\/x402\/reads\/jsonRpcError\.ts|components\/wallet\/walletError\.ts)$/,
    text: /-32[0-9]{3}\b|-32_[0-9]{3}\b/,
    sample: { path: "lib/a.ts", text: "const code = -32602;" },
  },
  {
    name: "imports of JSON declare their type, because Node runs the sources unchanged",
    files: /^(server|app|lib|components)\//,
    text: /\bfrom\s*["'][^"']+\.json["'](?!\s*with\b)/,
    sample: { path: "server/a.ts", text: 'import data from "./data.json";' },
  },
  {
    name: "only lib/query sets cache policies",
    files: /^(app|components|lib)\//,
    except: /^lib\/query\//,
    text: /\b(staleTime|gcTime|refetchInterval|refetchOnWindowFocus|revalidate)\s*[:=]/,
    sample: { path: "components/a.tsx", text: "useQuery({ queryKey, staleTime: 1000 })" },
  },
  {
    name: "only the theme contains colors",
    files: /^(app|components|lib)\/.*\.(tsx|ts|css)$/,
    except: /^app\/(theme|globals)\.css$/,
    text: /["'`\s:(,[]#(?:[0-9a-fA-F]{3,4}|[0-9a-fA-F]{6}|[0-9a-fA-F]{8})["'`\s;),\]]|\b(?:rgba?|hsla?|oklch|oklab|lab|lch)\(\s*[\d.]/,
    sample: { path: "components/a.tsx", text: '<p style={{ color: "#ff0033" }} />' },
  },
];

function findViolations(rule: Rule, sources: Source[]): string[] {
  return sources
    .filter(({ path }) => rule.files.test(path) && !rule.except?.test(path) && !isTest(path))
    .flatMap(({ path, text, imports }) => {
      const found = imports.filter(
        ({ target, isType }) =>
          rule.imports?.test(target) && !rule.allowed?.test(target) && !(isType && rule.allowedTypes?.test(target)),
      );
      const word = rule.text?.exec(stripComments(text))?.[0].trim();
      return [...found.map(({ target }) => `${path} imports ${target}`), ...(word ? [`${path} says ${word}`] : [])];
    });
}

const sources = readSources();
const rooms = readRooms(readFileSync(join(root, "ARCHITECTURE.md"), "utf8"));

describe("rooms", () => {
  test("are listed in the table exactly once, and each one exists", () => {
    const folders = new Set(toRoomed(sources).map(({ path }) => findRoom(rooms, path)));
    expect(rooms.filter((room) => !folders.has(room))).toEqual([]);
    expect(new Set(rooms).size).toBe(rooms.length);
  });

  test("contain every server file", () => expect(listHomeless(rooms, sources)).toEqual([]));
  test("never import from a room above", () => expect(listClimbs(rooms, sources)).toEqual([]));
  test("never import each other in a cycle", () => expect(listCircles(rooms, sources)).toEqual([]));
});

describe("the room checks", () => {
  const table = readRooms(
    "## Rooms\n| `server/high/` | a | |\n| `server/low/` | b | |\n| `server/low/deep/` | c | |\n\nOutside `server/`:\n| `app/` | d | |",
  );
  const low = toSource("server/low/b.ts", 'import type { A } from "@/server/high/a";');
  const high = toSource("server/high/a.ts", 'import { b } from "../low/b";');

  test("read the table from top to bottom", () => {
    expect(table).toEqual(["server/high", "server/low", "server/low/deep"]);
    expect(findRoom(table, "server/low/deep/c.ts")).toBe("server/low/deep");
  });
  test("find a file outside every room", () => {
    expect(listHomeless(table, [high, toSource("server/a.ts", ""), toSource("server/other/a.ts", "")])).toEqual([
      "server/a.ts",
      "server/other/a.ts",
    ]);
    expect(listHomeless(table, [toSource("server/a.test.ts", ""), toSource("server/other/testing/a.ts", "")])).toEqual(
      [],
    );
  });
  test("find an import from a room above, including type imports", () => {
    expect(listClimbs(table, [low])).toEqual([
      "server/low/b.ts imports server/high/a: server/high is above server/low",
    ]);
    expect(listClimbs(table, [high, toSource("server/low/b.test.ts", low.text)])).toEqual([]);
  });
  test("find a cycle, including one through several rooms", () => {
    const deep = toSource("server/low/deep/c.ts", 'export * from "@/server/high/a";');
    expect(listCircles(table, [high, low])).toEqual(["server/high and server/low"]);
    expect(listCircles(table, [high, toSource("server/low/b.ts", 'import "./deep/c";'), deep])).toHaveLength(3);
    expect(listCircles(table, [high, deep])).toEqual([]);
  });
});

describe("the sources", () => {
  test("contain every major folder", () => {
    for (const room of ["app/", "components/", "lib/", "server/evm/", "server/x402/", "server/rpc/"]) {
      expect(sources.some(({ path }) => path.startsWith(room))).toBe(true);
    }
  });

  test.each(rules)("obey the rule: $name", (rule) => {
    expect(findViolations(rule, sources)).toEqual([]);
  });
});

describe("the rule checks", () => {
  test.each(rules)("detect a violation of: $name", (rule) => {
    const { path, text } = rule.sample;
    expect(findViolations(rule, [toSource(path, text)])).toHaveLength(1);
    expect(findViolations(rule, [toSource(path, `/* ${text} */`)])).toEqual([]);
  });
});

test("the rules allow a database driver in a storage adapter, but not in other files", () => {
  const text = 'import Database from "better-sqlite3";';
  const adapterRule = rules.filter(({ imports }) => imports?.test("better-sqlite3"));
  expect(
    adapterRule.flatMap((rule) => findViolations(rule, [toSource("server/storage/sqlite/driver.ts", text)])),
  ).toEqual([]);
  expect(adapterRule.flatMap((rule) => findViolations(rule, [toSource("server/storage/store.ts", text)]))).toHaveLength(
    1,
  );
});

/** Counts the sentences in a file's header comment. A list of options in it doesn't count. */
function countHeaderSentences(text: string): number {
  const header = /^(?:#!.*\n|"use client";\n+)*\/\*\*?([\s\S]*?)\*\//.exec(text)?.[1] ?? "";
  const prose = header.replace(/^\s*\* - .*$/gm, "").replace(/`[^`]*`/g, "code");
  return prose.match(/[.!?](?=\s|$)/g)?.length ?? 0;
}

test("a file header has at most three sentences", () => {
  const tooLong = readSources().filter(({ text }) => countHeaderSentences(text) > 3);
  expect(tooLong.map(({ path }) => path)).toEqual([]);
  expect(countHeaderSentences("/**\n * One. Two.\n * Three. Four.\n */\n")).toBe(4);
  expect(countHeaderSentences('"use client";\n\n/** Reads `a. b`. Ends. */\n')).toBe(2);
});

test("finds imports of every form", () => {
  const text = [
    'import "./a.css";',
    'import type {\n  B,\n} from "../b";',
    'export { c } from "@/lib/c";',
    'const d = await import("d");',
    'new Worker(new URL("./worker.ts", import.meta.url));',
    '// import "no";',
  ].join("\n");
  const found = listImports("server/x/file.ts", text);
  expect(found.map(({ target }) => target).sort()).toEqual(
    ["server/x/a.css", "server/b", "lib/c", "d", "server/x/worker.ts"].sort(),
  );
  expect(found.filter(({ isType }) => isType).map(({ target }) => target)).toEqual(["server/b"]);
});
