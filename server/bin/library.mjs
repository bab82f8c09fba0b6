/**
 * Bundles the npm package's public modules. Writes the types of each module into a single file that needs no others.
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bundleTypes } from "./bundleTypes.mjs";

/**
 * The public modules. `name` is the source file in server/library, `packages` are the packages that the module and its
 * types import, and `lib` is a TypeScript library that it needs.
 */
const entries = [
  { name: "tollscan", packages: [], lib: "esnext.disposable" },
  { name: "client", packages: [] },
  { name: "server", packages: [] },
  { name: "viem", packages: ["viem", "viem/accounts"] },
];
/** The module "tollscan" is in the server's bundle instead, because it starts the server's threads. */
const bundled = entries.filter(({ name }) => name !== "tollscan");

/**
 * The `exports` of a module, with a CommonJS version for programs that call `require`: Jest, and TypeScript that is
 * compiled to CommonJS.
 * @param {string} name @param {string} code @param {string} extension
 */
const toExports = (name, code, extension) => ({
  require: { types: `./library/${name}.d.cts`, default: `${code}.cjs` },
  types: `./library/${name}.d.ts`,
  default: code + extension,
});

/** The `exports` of the package. */
export const libraryExports = {
  ".": toExports("tollscan", "./.next/server-code/tollscan", ".mjs"),
  ...Object.fromEntries(bundled.map(({ name }) => [`./${name}`, toExports(name, `./library/${name}`, ".js")])),
  "./package.json": "./package.json",
};

/** Runs TypeScript to write the declarations into a folder. @param {string} root @param {string} emitted */
function emitTypes(root, emitted) {
  const config = join(emitted, "tsconfig.json");
  const compilerOptions = {
    noEmit: false,
    incremental: false,
    noCheck: true,
    declaration: true,
    emitDeclarationOnly: true,
    rootDir: root,
    outDir: emitted,
    typeRoots: [join(root, "node_modules/@types")],
  };
  const files = entries.map(({ name }) => join(root, "server/library", `${name}.ts`));
  writeFileSync(config, JSON.stringify({ extends: join(root, "tsconfig.json"), compilerOptions, files, include: [] }));
  const args = [join(root, "node_modules/typescript/bin/tsc"), "-p", config];
  const { status, stdout } = spawnSync(process.execPath, args, { encoding: "utf8" });
  if (status !== 0) throw new Error(`TypeScript could not write the declarations: ${stdout}`);
}

/** Writes the modules and their types into a folder. @param {string} root @param {string} folder */
export async function bundleLibrary(root, folder) {
  const { build, stop } = await import("esbuild");
  // Modules that don't list viem contain the parts of it that they use. The others must share the program's own copy, so
  // they are built separately.
  const needsPackages = (/** @type {{ packages: string[] }} */ { packages }) => packages.length > 0;
  for (const modules of [bundled.filter((entry) => !needsPackages(entry)), bundled.filter(needsPackages)]) {
    /** @type {import("esbuild").BuildOptions} */
    const options = {
      absWorkingDir: root,
      entryPoints: modules.map(({ name }) => join(root, "server/library", `${name}.ts`)),
      outdir: folder,
      bundle: true,
      platform: "node",
      target: "es2022",
      external: modules.flatMap(({ packages }) => packages),
      legalComments: "none",
      minifyWhitespace: true,
      lineLimit: 160,
      logLevel: "silent",
    };
    await build({ ...options, format: "esm", splitting: true, chunkNames: "shared-[hash]" });
    await build({ ...options, format: "cjs", outExtension: { ".js": ".cjs" } });
  }
  await stop();
  const emitted = mkdtempSync(join(tmpdir(), "tollscan-types-"));
  try {
    emitTypes(root, emitted);
    mkdirSync(folder, { recursive: true });
    for (const { name, packages, lib } of entries) {
      const head = lib === undefined ? "" : `/// <reference lib="${lib}" />\n`;
      const text = bundleTypes({ root, emitted, entry: `server/library/${name}`, packages });
      for (const extension of ["ts", "cts"]) writeFileSync(join(folder, `${name}.d.${extension}`), head + text);
    }
  } finally {
    rmSync(emitted, { recursive: true });
  }
}
