/**
 * Reads a build that Vercel's CLI produced (Build Output API, version 3): its routes, files and functions. An unpacked
 * function contains exactly what would be uploaded.
 */
import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  symlinkSync,
} from "node:fs";
import { dirname, join, relative } from "node:path";
import type { OutputRoute } from "@/server/tools/deploy/routing";

type FunctionConfig = {
  handler: string;
  runtime: string;
  launcherType?: string;
  /** Set if the function accepts a Request and returns a Response, instead of using Node's `req` and `res`. */
  useWebApi?: boolean;
  environment?: Record<string, string>;
  filePathMap?: Record<string, string>;
  maxDuration?: number;
};

export type BuiltFunction = {
  /** The function's names. Names that share a folder belong to the same function. */
  names: string[];
  folder: string;
  config: FunctionConfig;
  /** The function's unzipped size in bytes. The platform limits this size. */
  bytes: number;
};

export type BuildOutput = {
  routes: OutputRoute[];
  functions: BuiltFunction[];
  /** Finds the static file with this name, or returns undefined if there is none. `file` is its absolute path. */
  findFile(name: string): { file: string; contentType?: string } | undefined;
};

/** Reads the build output of the project in `root`. Throws if there is none, or if a function is not for Node. */
export function readOutput(root: string): BuildOutput {
  const folder = join(root, ".vercel", "output");
  const config = JSON.parse(readFileSync(join(folder, "config.json"), "utf8")) as {
    version: number;
    routes?: OutputRoute[];
    overrides?: Record<string, { path?: string; contentType?: string }>;
  };
  if (config.version !== 3) throw new Error(`The build output has version ${config.version}; expected 3.`);
  const overrides = new Map(
    Object.entries(config.overrides ?? {}).map(([file, { path, contentType }]) => [
      path ?? file,
      { file, contentType },
    ]),
  );
  const isFile = (file: string) => existsSync(file) && lstatSync(file).isFile();
  return {
    routes: config.routes ?? [],
    functions: listFunctions(root, join(folder, "functions")),
    findFile(name) {
      if (name.split("/").includes("..")) return undefined;
      const override = overrides.get(name);
      const file = join(folder, "static", override?.file ?? name);
      return isFile(file) ? { file, ...(override?.contentType && { contentType: override.contentType }) } : undefined;
    },
  };
}

function listFunctions(root: string, folder: string): BuiltFunction[] {
  const byFolder = new Map<string, BuiltFunction>();
  const walk = (at: string) => {
    for (const entry of readdirSync(at, { withFileTypes: true })) {
      const path = join(at, entry.name);
      if (!entry.name.endsWith(".func")) {
        if (entry.isDirectory()) walk(path);
        continue;
      }
      const real = realpathSync(path);
      const name = relative(folder, path).slice(0, -".func".length);
      const known = byFolder.get(real);
      if (known) known.names.push(name);
      else byFolder.set(real, toFunction(root, real, name));
    }
  };
  walk(folder);
  return [...byFolder.values()];
}

function toFunction(root: string, folder: string, name: string): BuiltFunction {
  const config = JSON.parse(readFileSync(join(folder, ".vc-config.json"), "utf8")) as FunctionConfig;
  if (config.launcherType !== "Nodejs") throw new Error(`The function ${name} is not a Node function.`);
  const own = listFiles(folder).filter((file) => file !== ".vc-config.json");
  const files = [
    ...own.map((file) => join(folder, file)),
    ...Object.values(config.filePathMap ?? {}).map((file) => join(root, file)),
  ];
  return { names: [name], folder, config, bytes: files.reduce((sum, file) => sum + lstatSync(file).size, 0) };
}

function listFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)));
}

/** Copies a function and all files that it refers to into a new folder. Links remain links. */
export function unpackFunction(root: string, { folder, config }: BuiltFunction, target: string): void {
  cpSync(folder, target, { recursive: true, verbatimSymlinks: true });
  for (const [name, source] of Object.entries(config.filePathMap ?? {})) {
    const [from, to] = [join(root, source), join(target, name)];
    mkdirSync(dirname(to), { recursive: true });
    if (lstatSync(from).isSymbolicLink()) symlinkSync(readlinkSync(from), to);
    else cpSync(from, to);
  }
}

/**
 * Lists every file in a folder with its size and modification time. Comparing two lists shows whether something was
 * written.
 */
export function listContent(folder: string): string[] {
  return listFiles(folder)
    .map((file) => {
      const { size, mtimeMs } = lstatSync(join(folder, file));
      return `${file} ${size} ${mtimeMs}`;
    })
    .sort();
}
