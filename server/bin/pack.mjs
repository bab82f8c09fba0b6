/**
 * `npm run pack`: makes the npm package from the production build. The package contains the build and the packages that
 * it needs at run time, so nothing is compiled during installation. Only better-sqlite3, which has a binary per
 * platform, is a dependency.
 */
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join, relative, sep } from "node:path";
import { bundleLibrary, libraryExports } from "./library.mjs";
import { checkConfig, ensureBuild, ensurePackages, root, StepError, toChildEnv, toNpmCommand } from "./prepare.mjs";

const target = join(root, ".cache", "package");
const modules = join(root, "node_modules");
const build = join(root, ".next");

/** Parts of a build that are only useful for the next build or for developers. They are left out of the package. */
const unusedParts =
  /^(build|cache|dev|diagnostics|node_modules|types|trace.*|tollscan-sources|required-server-files\.js)$/;
const unusedFiles = /\.(map|nft\.json)$/;
/** Packages with native code, which the npm package lists as dependencies instead of containing them. */
const dependencies = ["better-sqlite3"];
/** Packages that the server's bundle needs but does not contain, besides Next. */
const wholePackages = ["pg", "ws"];
/** Packages in Next's trace that are only used to resize images, which no page does. */
const unusedPackages = ["sharp", "@img", "detect-libc", "semver"];
/** Packages in package.json that are used to build but whose code doesn't end up in the build. */
const buildTools = ["@tailwindcss/postcss", "@types/node", "@types/react", "esbuild", "typescript"];

const readJson = (/** @type {string} */ file) => JSON.parse(readFileSync(file, "utf8"));

/** @param {string} folder */
const listFiles = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

/** Copies the build. Replaces the bundler's package names and removes this machine's paths. */
function copyBuild() {
  const copy = join(target, ".next");
  cpSync(build, copy, {
    recursive: true,
    filter: (from) => !unusedParts.test(relative(build, from)) && !unusedFiles.test(from),
  });
  // The bundler gives each external package a name with a hash, and makes that name a symbolic link to the package. npm
  // doesn't pack links.
  const aliases = readdirSync(join(build, "node_modules"));
  const names = aliases.map((alias) => alias.replace(/-[0-9a-f]{16}$/, ""));
  const unknown = names.find((name) => ![...dependencies, ...wholePackages].includes(name));
  if (unknown !== undefined) throw new StepError(`The build needs the package ${unknown}, which pack.mjs leaves out.`);
  for (const file of listFiles(join(copy, "server")).filter((name) => /\.(js|json)$/.test(name))) {
    const text = readFileSync(file, "utf8");
    const named = aliases.reduce((result, alias, index) => result.replaceAll(alias, names[index] ?? ""), text);
    if (named !== text) writeFileSync(file, named);
  }
  const { config } = readJson(join(build, "required-server-files.json"));
  const recorded = JSON.stringify({ config }, (_, value) => (value === root ? undefined : value));
  writeFileSync(join(copy, "required-server-files.json"), recorded);
}

/** The name of the package that contains a file below node_modules. @param {string} file */
function toPackageName(file) {
  const [scope = "", name = ""] = relative(modules, file).split(sep);
  return scope.startsWith("@") ? `${scope}/${name}` : scope;
}

/**
 * Lists the package files that are needed to serve pages: those in Next's trace of its server, and those that are
 * loaded when Next starts the way our server starts it.
 */
function listTraced() {
  const traced = readJson(join(build, "next-server.js.nft.json")).files.map((/** @type {string} */ file) =>
    join(build, file),
  );
  const program = `
    const { config } = require("./.next/required-server-files.json");
    process.env.__NEXT_PRIVATE_STANDALONE_CONFIG = JSON.stringify(config);
    console.log = () => {};
    require("next")({ dev: false, dir: process.cwd(), httpServer: new (require("node:http").Server)() }).prepare()
      .then(() => process.stdout.write(JSON.stringify(Object.keys(require.cache)), () => process.exit(0)));`;
  const env = { ...toChildEnv(), NODE_ENV: "production" };
  const { stdout, stderr, status } = spawnSync(process.execPath, ["-e", program], { cwd: root, env, encoding: "utf8" });
  if (status !== 0) throw new StepError(`Next could not be loaded: ${stderr}`);
  return [...traced, .../** @type {string[]} */ (JSON.parse(stdout))].filter(
    (file) => file.startsWith(modules + sep) && !unusedPackages.includes(toPackageName(file).split("/")[0] ?? ""),
  );
}

/** @type {Record<string, { dependencies?: Record<string, string> }>} */
const locked = readJson(join(root, "package-lock.json")).packages;

/** The given packages and everything they depend on, as folders in node_modules. @param {string[]} names */
function listClosure(names) {
  const found = new Set(names.map((name) => `node_modules/${name}`));
  for (const path of found) {
    for (const name of Object.keys(locked[path]?.dependencies ?? {})) {
      const nested = `${path}/node_modules/${name}`;
      found.add(nested in locked ? nested : `node_modules/${name}`);
    }
  }
  return [...found].filter((path) => existsSync(join(root, path)));
}

/** @param {string} folder */
const listLicences = (folder) =>
  readdirSync(folder)
    .filter((name) => /^(licen[cs]e|notice|copying)/i.test(name) && statSync(join(folder, name)).isFile())
    .map((name) => join(folder, name));

/** Copies the bundled packages into the npm package, with their licenses. Returns the names of the copied packages. */
function copyPackages() {
  const whole = listClosure(wholePackages).flatMap((path) =>
    listFiles(join(root, path)).filter((file) => !/\.(map|[cm]?ts|md)$/.test(file)),
  );
  const files = new Set([...listTraced(), ...whole]);
  for (const file of files) {
    for (let folder = dirname(file); folder !== modules && dirname(folder) !== folder; folder = dirname(folder)) {
      for (const licence of listLicences(folder)) files.add(licence);
      const manifest = join(folder, "package.json");
      if (existsSync(manifest)) files.add(manifest);
    }
  }
  for (const file of files) {
    const to = join(target, relative(root, file));
    mkdirSync(dirname(to), { recursive: true });
    if (basename(file) !== "package.json") cpSync(file, to);
    else writeFileSync(to, toBundledManifest(readJson(file)));
  }
  return [...new Set([...files].map(toPackageName))].sort();
}

/**
 * Removes the dependencies from a bundled package's manifest, because npm would otherwise install them again.
 * @param {Record<string, unknown>} manifest
 */
function toBundledManifest(manifest) {
  const { dependencies: _, devDependencies: __, optionalDependencies: ___, peerDependencies: ____, ...rest } = manifest;
  return JSON.stringify({ ...rest, scripts: undefined, peerDependenciesMeta: undefined }, null, 2);
}

/** The licenses of packages whose code is inside the build. */
function writeLicences() {
  const { dependencies: direct } = readJson(join(root, "package.json"));
  const built = Object.keys(direct).filter((name) => ![...dependencies, ...buildTools, "next"].includes(name));
  const texts = listClosure(built).map((path) => {
    const { name, version, license } = readJson(join(root, path, "package.json"));
    const licences = listLicences(join(root, path)).map((file) => readFileSync(file, "utf8").trim());
    return [`${name} ${version} (${license})`, ...licences].join("\n\n");
  });
  const intro = "The build in this package contains code of these packages.";
  writeFileSync(join(target, "THIRD-PARTY-LICENSES.txt"), `${[intro, ...texts].join(`\n\n${"-".repeat(80)}\n\n`)}\n`);
}

/** @param {string[]} bundled */
function writeManifest(bundled) {
  const { name, version, description, license, engines, dependencies: direct } = readJson(join(root, "package.json"));
  const versions = Object.fromEntries([
    ...dependencies.map((dependency) => [dependency, direct[dependency]]),
    ...bundled.map((dependency) => [dependency, readJson(join(modules, dependency, "package.json")).version]),
  ]);
  const manifest = {
    ...{ name, version, description, license, type: "module", engines },
    bin: { tollscan: "bin/tollscan.mjs" },
    exports: libraryExports,
    files: ["bin", ".next", "library", "THIRD-PARTY-LICENSES.txt"],
    dependencies: versions,
    peerDependencies: { viem: "^2.0.0" },
    peerDependenciesMeta: { viem: { optional: true } },
    bundleDependencies: bundled,
  };
  writeFileSync(join(target, "package.json"), JSON.stringify(manifest, null, 2));
}

async function pack() {
  rmSync(target, { recursive: true, force: true });
  mkdirSync(target, { recursive: true });
  cpSync(join(root, "bin"), join(target, "bin"), { recursive: true });
  for (const file of ["README.md", "LICENSE"]) cpSync(join(root, file), join(target, file));
  copyBuild();
  await bundleLibrary(root, join(target, "library"));
  writeManifest(copyPackages());
  writeLicences();
  const { command, prefix } = toNpmCommand();
  const args = [...prefix, "pack", "--json", "--ignore-scripts", "--pack-destination", dirname(target)];
  const { stdout, stderr, status } = spawnSync(command, args, { cwd: target, encoding: "utf8" });
  if (status !== 0) throw new StepError(`npm pack failed: ${stderr}`);
  rmSync(target, { recursive: true });
  const [result] = Object.values(JSON.parse(stdout));
  return join(dirname(target), result.filename);
}

try {
  await ensurePackages({ withDev: false, say: console.error });
  await ensureBuild({ check: checkConfig, say: console.error });
  console.log(await pack());
} catch (error) {
  if (!(error instanceof StepError)) throw error;
  console.error(error.message);
  process.exit(1);
}
