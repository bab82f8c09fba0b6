/**
 * Servers as `npm start` runs them, which start in a fraction of the time that their sources take, each on a data folder
 * of its own. What was made is removed by remove().
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bundleServer } from "@/server/bin/bundle.mjs";
import { root } from "@/server/bin/prepare.mjs";
import { type ServerProcess, startBuiltServer } from "@/server/testing/serverProcess";

export type Started = ServerProcess & { port: number };

export type Builds = {
  start(readers: number, env?: Record<string, string>): Promise<Started>;
  remove(): void;
};

/** name: of the test, among those that run at the same time. */
export async function buildServer(name: string): Promise<Builds> {
  const code = join(root, "node_modules/.cache", `readers-${name}-${process.pid}`);
  const main = await bundleServer(root, code);
  const folders = [code];
  return {
    async start(readers, env = {}) {
      const data = mkdtempSync(join(tmpdir(), "tollscan-readers-"));
      folders.push(data);
      const server = await startBuiltServer(main, {
        TOLLSCAN_DATA: data,
        TOLLSCAN_READERS: String(readers),
        ...env,
      });
      return { ...server, port: Number(new URL(server.origin).port) };
    },
    remove() {
      for (const folder of folders) rmSync(folder, { recursive: true, force: true });
    },
  };
}
