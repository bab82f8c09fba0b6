/** Tests that each method is declared in a single entry, and that no other code lists methods. */
import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { z } from "zod";
import { findMethod, methodList, methods } from "@/lib/rpc/methods";

it("lists each method under its wire name", () => {
  expect(Object.keys(methods)).toEqual(methodList.map(({ name }) => name));
});

it("resolves each alias to a method that is not an alias", () => {
  const aliases = methodList.filter(({ aliasOf }) => aliasOf);
  expect(aliases.length).toBeGreaterThan(0);
  for (const { aliasOf = "" } of aliases) expect(findMethod(aliasOf)).not.toHaveProperty("aliasOf");
});

type Schema = { prefixItems?: Schema[]; properties?: object; anyOf?: Schema[] };
const toSchema = (type: z.ZodType, io: "input" | "output") =>
  z.toJSONSchema(type, { io, unrepresentable: "any" }) as Schema;
const listFields = ({ properties = {}, anyOf = [] }: Schema = {}): string[] => [
  ...Object.keys(properties),
  ...anyOf.flatMap(listFields),
];

it("declares the cursor that each list's page param accepts", () => {
  const lists = methodList.filter(({ result }) => {
    const fields = listFields(toSchema(result, "output"));
    return fields.includes("items") && fields.includes("next");
  });
  expect(lists.length).toBeGreaterThan(0);
  for (const { name, params, cursor } of lists) {
    const fields = listFields(toSchema(params, "input").prefixItems?.at(-1));
    expect([name, fields.filter((field) => field === "before" || field === "after")]).toEqual([name, [cursor]]);
  }
});

/** Matches three method names in a row, either as items in a list or as keys in an object. */
const name = `["']?(?:${methodList.map((method) => method.name.replace(".", "\\.")).join("|")})["']?`;
const table = new RegExp(`(?:${name},\\s*){3}|(?:^\\s*${name}(?:: .*)?,\\n){3}`, "m");
/** Files that may list methods: declarations, handlers, test code, and the wallet guard, which lists wallet methods. */
const isExempt = (path: string) =>
  /\.test\.tsx?$|\/testing\/|^lib\/rpc\/schema\/|^server\/rpc\/handlers\/|^components\/wallet\/guardWallet\.ts$/.test(
    path,
  );

it("recognizes a table of methods in source text", () => {
  expect('["eth_call", "eth_chainId", "net_version", "other"]').toMatch(table);
  expect("  eth_call: execute.eth_call,\n  eth_chainId,\n  'rpc.discover': meta.rpc_discover,\n").toMatch(table);
  expect('  ask("eth_call"),\n  ask("eth_chainId"),\n  ask("net_version"),\n').not.toMatch(table);
});

it("finds no table of methods outside the declarations and handlers", () => {
  const paths = ["app", "components", "lib", "server"].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" }).map((path) => `${folder}/${path}`.replaceAll("\\", "/")),
  );
  const sources = paths.filter((path) => /\.(ts|tsx|mjs)$/.test(path) && !isExempt(path));
  expect(sources.length).toBeGreaterThan(500);
  expect(sources.filter((path) => table.test(readFileSync(path, "utf8")))).toEqual([]);
});
