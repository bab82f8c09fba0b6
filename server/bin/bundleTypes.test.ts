/** Tests joining declarations. The input is written by hand, in the form that TypeScript emits. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { bundleTypes } from "@/server/bin/bundleTypes.mjs";

const folder = mkdtempSync(join(tmpdir(), "tollscan-types-"));
const root = join(folder, "root");
const emitted = join(folder, "emitted");
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function write(files: Record<string, string>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}
const bundle = (packages: string[] = []) => bundleTypes({ root, emitted, entry: "entry", packages });

describe("bundleTypes", () => {
  it("includes what the exports refer to, and nothing else", () => {
    write({
      "emitted/entry.d.ts": 'export { pay } from "@/lib/pay";\n',
      "emitted/lib/pay.d.ts":
        'import { type Unit as Small } from "./unit";\n/** Pays. */\nexport declare function pay(amount: Small): void;\nexport declare function other(): void;\n',
      "emitted/lib/unit.d.ts": "export type Unit = {\n    value: bigint;\n};\n",
    });
    expect(bundle()).toBe(
      "/** Pays. */\ndeclare function pay(amount: Unit): void;\ntype Unit = {\n    value: bigint;\n};\nexport { pay };\n",
    );
  });

  it("keeps types of two files with the same name apart", () => {
    write({
      "emitted/entry.d.ts": 'export { one } from "./one";\nexport { two } from "./two";\n',
      "emitted/one.d.ts": "type Options = {\n    a: 1;\n};\nexport declare function one(options: Options): void;\n",
      "emitted/two.d.ts": "type Options = {\n    b: 2;\n};\nexport declare function two(options: Options): void;\n",
    });
    expect(bundle()).toContain("declare function two(options: Options_2): void;\ntype Options_2 = {\n    b: 2;\n};");
  });

  it("includes every overload, and a union with comments", () => {
    const text =
      'export declare function read(name: string): Code;\nexport declare function read(at: number): Code;\ntype Code = \n/** Missing. */\n"missing"\n | "wrong";\n';
    write({ "emitted/entry.d.ts": text });
    expect(bundle()).toBe(`${text.replaceAll("export ", "")}export { read };\n`);
  });

  it("leaves out the header comment of a source file", () => {
    const text = "/** About the file. */\n/** About the type. */\nexport type A = 1;\n";
    write({ "emitted/entry.d.ts": text, "root/entry.ts": text });
    expect(bundle()).toBe("/** About the type. */\ntype A = 1;\nexport { A };\n");
  });

  it("imports types of listed packages and rejects types of other packages", () => {
    write({ "emitted/entry.d.ts": 'import type { Account } from "viem";\nexport type Payer = Account;\n' });
    expect(bundle(["viem"])).toContain('import type { Account } from "viem";');
    expect(() => bundle()).toThrow("The types of entry must not import viem, but entry imports Account from it.");
  });

  it("rejects a type that TypeScript wrote as an import", () => {
    write({ "emitted/entry.d.ts": 'export declare const a: import("@/lib/a").A;\n' });
    expect(() => bundle()).toThrow("Name this type instead of having it inferred");
  });
});
