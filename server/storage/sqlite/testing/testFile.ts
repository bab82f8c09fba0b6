/** Creates a database file in a temporary folder, for tests. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The file does not exist yet; `remove()` deletes its folder. */
export async function createTestFile(): Promise<{ folder: string; file: string; remove(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), "store-"));
  return {
    folder,
    file: join(folder, "chain.sqlite"),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}
