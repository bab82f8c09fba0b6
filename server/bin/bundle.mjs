/**
 * The server's code as few files of JavaScript, so that a start reads some dozens and not a thousand, and no thread
 * carries a compiler. The sources stay what is developed and tested; this is made of them with every build.
 */
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";

/** What is started: the process and its worker threads. Each is started by the name of its source. */
const entries = ["server/node/main.ts", "server/execution/worker.ts"];
/** Packages that find files of their own beside their code, or native code. */
const external = ["next", "better-sqlite3", "pg", "ws", "kzg-wasm"];
/** How a thread of ours is named where it is started. */
const started = /new URL\("\.\/(\w+)\.ts", import\.meta\.url\)/g;
/** Packages of the older kind ask for Node's modules by a function that modules of the newer kind lack. */
const banner = 'import { createRequire as toRequire } from "node:module"; const require = toRequire(import.meta.url);';

/**
 * Writes main.mjs and what belongs to it into a folder below the project's, whose packages it needs; what was there is
 * gone. Rejects with the compiler's errors.
 * @param {string} root the project folder @param {string} folder
 * @returns {Promise<string>} the file to be started
 */
export async function bundleServer(root, folder) {
  rmSync(folder, { recursive: true, force: true });
  // Loaded here, because `npm start` loads this file before anything is installed.
  const { build, stop } = await import("esbuild");
  await build({
    absWorkingDir: root,
    entryPoints: entries.map((entry) => join(root, entry)),
    outdir: folder,
    entryNames: "[name]",
    outExtension: { ".js": ".mjs" },
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node22.18",
    banner: { js: banner },
    external: external.flatMap((name) => [name, `${name}/*`]),
    // V8 keeps the text of what it runs. Comments cost most: one letter beyond Latin-1 doubles the text of its file.
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
  });
  // The compiler is a process of its own and would stay as long as this one.
  await stop();
  return join(folder, "main.mjs");
}
