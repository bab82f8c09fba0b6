/**
 * Tests the import program by running it as a user would: with a whole public chain, with a kill partway through, and
 * with invalid files.
 */
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { createWriteStream, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { splitRlp } from "@/lib/rlp";
import { loadConfig } from "@/server/config/config";
import { createNode } from "@/server/node/node";
import { openStore } from "@/server/storage/open";

const root = join(import.meta.dirname, "../..");
const suite = join(root, "../shared/rpc-compat");
const genesis = join(suite, "genesis.json");
const chain = join(suite, "chain.rlp");
const folder = mkdtempSync(join(tmpdir(), "tollscan-import-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const program = [...process.execArgv, join(root, "server/tools/import.ts")];

function run(options: { genesis: string; blocks: string; data: string }) {
  const args = Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]);
  return spawnSync(process.execPath, [...program, ...args], { cwd: root, encoding: "utf8" });
}

async function findHead(data: string): Promise<number> {
  const file = join(data, "imported.sqlite");
  if (!existsSync(file)) return -1;
  try {
    const store = await openStore({ kind: "sqlite", file }, { readonly: true });
    const head = await store.findHead();
    await store.close();
    return head?.number ?? -1;
  } catch {
    // The database is still being created.
    return -1;
  }
}

describe.skipIf(!existsSync(chain))("a public chain (if ../shared/rpc-compat exists)", () => {
  test("is imported to the same head after a kill in the middle, and served as the default network", async () => {
    const data = join(folder, "killed");
    const pipe = join(folder, "blocks");
    execFileSync("mkfifo", [pipe]);
    const child = spawn(process.execPath, [...program, "--genesis", genesis, "--blocks", pipe, "--data", data], {
      cwd: root,
    });
    const ended = new Promise((resolve) => child.once("close", (_code, signal) => resolve(signal)));
    const blocks = splitRlp(new Uint8Array(readFileSync(chain)));
    const writer = createWriteStream(pipe);
    writer.on("error", () => undefined);
    // The pipe stays open, so the program is waiting for the rest when it is killed.
    for (const block of blocks.slice(0, 20)) writer.write(block);
    while ((await findHead(data)) < 20) await new Promise((resolve) => setTimeout(resolve, 50));
    child.kill("SIGKILL");
    expect(await ended).toBe("SIGKILL");
    writer.destroy();

    const again = run({ genesis, blocks: chain, data });
    expect(again.stderr).toBe("");
    expect(again.stdout).toContain(`${blocks.length - 20} blocks imported`);

    const node = await createNode(loadConfig({ TOLLSCAN_DATA: data }, root));
    try {
      const [first] = node.networks.values();
      expect(first?.network).toMatchObject({ name: "imported", embedded: false });
      expect(node.findHandler("/api/rpc")).toBe(node.findHandler("/api/rpc/imported"));
      const recorded = JSON.parse(readFileSync(join(suite, "headfcu.json"), "utf8")) as {
        params: [{ headBlockHash: string }];
      };
      const head = await first?.request({ method: "eth_getBlockByNumber", params: ["latest", false] });
      expect(head).toMatchObject({ hash: recorded.params[0].headBlockHash });
    } finally {
      await node.close();
    }
  });

  test("that is cut within a block is imported up to that block, with an error that states the offset", () => {
    const blocks = splitRlp(new Uint8Array(readFileSync(chain)));
    const cut = join(folder, "cut.rlp");
    writeFileSync(cut, readFileSync(chain).subarray(0, blocks[0]!.length + blocks[1]!.length + 5));
    const { status, stderr } = run({ genesis, blocks: cut, data: join(folder, "cut") });
    expect(status).toBe(1);
    expect(stderr).toBe(`The block at byte ${blocks[0]!.length + blocks[1]!.length} of ${cut} is truncated.\n`);
  });
});

test("says which option is missing", () => {
  const { status, stderr } = spawnSync(process.execPath, program, { cwd: root, encoding: "utf8" });
  expect({ status, stderr }).toEqual({
    status: 2,
    stderr: "tollscan import needs --genesis, as in --genesis genesis.json.\n",
  });
});

test("rejects an invalid genesis and writes nothing", () => {
  const wrong = join(folder, "wrong.json");
  writeFileSync(wrong, '{"config":{}}');
  const data = join(folder, "nothing");
  const { status, stderr } = run({ genesis: wrong, blocks: wrong, data });
  expect(status).toBe(2);
  expect(stderr).toMatch(/^The file .*wrong\.json is not a valid geth genesis \(config\.chainId: .*\)\.\n$/);
  expect(existsSync(data)).toBe(false);
});
