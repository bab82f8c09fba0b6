/**
 * Bundles the server's code into a few JavaScript files, so that starting the server loads dozens of files instead of a
 * thousand, and no thread loads a compiler. Development and tests use the sources; every build regenerates the bundle.
 */
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";

/** The programs behind the subcommands of `tollscan`. */
const tools = ["seed", "import", "reindex", "copyStore"].map((name) => `server/tools/${name}.ts`);
/** The package's main module. It is also built as CommonJS, for programs that call `require`. */
const mainModule = "server/library/tollscan.ts";
/**
 * Entry points of the bundle: the server process, the `tollscan` command and its subcommands, the npm package's main
 * module, and the worker threads. Each output file is named after its source file.
 */
const entries = [
  "server/node/main.ts",
  "server/node/command.ts",
  ...tools,
  mainModule,
  "server/library/host.ts",
  "server/execution/worker.ts",
];
/** Packages that are not bundled: those with native code, and those that look for files next to their own code. */
const external = ["next", "better-sqlite3", "pg", "ws"];
/** Matches the URLs of the worker threads that our code starts. */
const started = /new URL\("\.\/(\w+)\.ts", import\.meta\.url\)/g;
/** CommonJS has no `import.meta.url`. */
const commonJs = {
  banner: { js: 'const moduleUrl = require("node:url").pathToFileURL(__filename).href;' },
  define: { "import.meta.url": "moduleUrl" },
};
/** Defines `require`, which CommonJS packages use to load Node's modules. ES modules don't have it. */
const banner = 'import { createRequire as toRequire } from "node:module"; const require = toRequire(import.meta.url);';

/**
 * Replaces the contents of a folder with the bundle, whose main file is main.mjs. The folder must be inside the
 * project, because the bundle needs the project's packages. Rejects with the compiler's errors.
 * @param {string} root the project folder @param {string} folder
 * @returns {Promise<string>} the file to start
 */
export async function bundleServer(root, folder) {
  rmSync(folder, { recursive: true, force: true });
  // Imported here, because `npm start` loads this file before esbuild is installed.
  const { build, stop } = await import("esbuild");
  /** @type {import("esbuild").BuildOptions} */
  const options = {
    absWorkingDir: root,
    outdir: folder,
    entryNames: "[name]",
    bundle: true,
    platform: "node",
    target: "node22.18",
    external: external.flatMap((name) => [name, `${name}/*`]),
    // Keeps the files small, because V8 keeps their text in memory. V8 also doubles the memory of a whole file if it
    // contains a single character beyond Latin-1.
    legalComments: "none",
    minifyWhitespace: true,
    lineLimit: 160,
    logLevel: "silent",
    plugins: [
      {
        name: "starts",
        setup(build) {
          build.onLoad({ filter: /[\\/]server[\\/].*\.ts$/ }, ({ path }) => ({
            contents: readFileSync(path, "utf8").replaceAll(started, 'new URL("./$1.mjs", import.meta.url)'),
            loader: "ts",
          }));
        },
      },
    ],
  };
  await build({
    ...options,
    entryPoints: entries.map((entry) => join(root, entry)),
    outExtension: { ".js": ".mjs" },
    splitting: true,
    format: "esm",
    banner: { js: banner },
  });
  await build({
    ...options,
    ...commonJs,
    entryPoints: [join(root, mainModule)],
    outExtension: { ".js": ".cjs" },
    format: "cjs",
  });
  // Stops the compiler, which is a separate process and would otherwise keep running.
  await stop();
  return join(folder, "main.mjs");
}
