/** Tests the subcommands of `tollscan` the way the bundle runs them, and shell completion. */
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { variables } from "@/server/config/environment.mjs";
import { toCompletion } from "@/server/node/completion";
import { subcommands } from "@/server/node/subcommands";
import { getServerCode, runToEnd, startServer } from "@/server/testing/serverProcess";

const folder = mkdtempSync(join(tmpdir(), "tollscan-subcommands-"));
const command = join(dirname(await getServerCode()), "command.mjs");
const data = join(folder, "data");
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const run = (args: string[], env: Record<string, string> = {}) =>
  runToEnd([command, ...args], { TOLLSCAN_DATA: data, ...env });

describe.each(subcommands)("tollscan $words", ({ words, meaning, options }) => {
  it("lists its options with --help", async () => {
    const { code, stdout } = await run([...words.split(" "), "--help"]);
    expect(code).toBe(0);
    expect(stdout).toContain(`${meaning}.\n\nUsage: tollscan ${words} [options]\n`);
    for (const { option, value } of options) expect(stdout).toContain(`--${option} <${value}>`);
  });
});

const wrongGenesis = join(folder, "wrong.json");
writeFileSync(wrongGenesis, '{"config":{}}');

it.each([
  ["seed --transactions many", '--transactions must be a whole number, but is "many".'],
  ["seed --url nowhere", '--url must be a URL such as http://localhost:3000, but is "nowhere".'],
  ["seed --fast", '"--fast" is not an option of tollscan seed; --help lists them.'],
  ["import", "tollscan import needs --genesis, as in --genesis genesis.json."],
  ["import --genesis", "--genesis needs a value."],
  ["import --genesis a --blocks nowhere.rlp --data b", "nowhere.rlp does not exist."],
  [
    `import --genesis ${wrongGenesis} --blocks ${wrongGenesis} --data ${data}`,
    "is not a valid geth genesis (config.chainId: ",
  ],
  ["reindex testnet", '"testnet" is not an option of tollscan reindex; --help lists them.'],
  ["reindex --data nothing", "nothing has no chain of these networks; set --data or --networks."],
  ["reindex --networks nowhere", "TOLLSCAN_NETWORKS contains the unknown network nowhere"],
  ["store copy --from a", "tollscan store copy needs --to, as in --to postgres://user:password@host/database."],
  ["store copy --from a --to a", "--from and --to are the same place."],
  [`store copy --from ${join(folder, "nothing")} --to ${data}`, "There is no data to copy at --from."],
  ["store", '"store" is not an option; --help lists the options.'],
  ["completion", "tollscan completion needs bash, zsh or fish, but no shell was given."],
  ["completion tcsh", 'tollscan completion needs bash, zsh or fish, but "tcsh" was given.'],
])("refuses tollscan %s with exit code 2 before it writes anything", async (line, sentence) => {
  const { code, stdout, stderr } = await run(line.split(" "));
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).toMatch(/^[^\n]+\.\n$/);
  expect(stderr).toContain(sentence);
  expect(existsSync(data)).toBe(false);
});

it("seeds a running node, rebuilds its index and copies its data", async () => {
  const kept = join(folder, "kept");
  const server = await startServer({ TOLLSCAN_DATA: kept, TOLLSCAN_NETWORKS: "local,sepolia" });
  const seeded = await run(["seed", "--url", server.origin, "--transactions", "20", "--payments", "1"]);
  expect(seeded).toMatchObject({ code: 0, stderr: "" });
  expect(seeded.stdout).toContain("20 transactions sent and mined, 1 of 1 payments settled");
  await server.stop("SIGTERM");
  const reindexed = await run(["reindex", "--data", kept, "--networks", "local,sepolia"]);
  expect(reindexed).toMatchObject({ code: 0, stderr: "" });
  expect(reindexed.stdout).toMatch(/^Local: rebuilt the index of \d+ blocks in [\d.]+ s\.\n$/m);
  const copied = await run(["store", "copy", "--from", kept, "--to", join(folder, "copy")]);
  expect(copied).toMatchObject({ code: 0, stderr: "" });
  expect(copied.stdout).toMatch(/^local: copied and compared \d+ rows, its head is block \d+ /m);
});

describe("completion", () => {
  /** The completions that bash offers for a command line. */
  const complete = (line: string) => {
    const script = `${toCompletion("bash")}
COMP_WORDS=(${line.replace(/ $/, ' ""')}); COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)); _tollscan; echo "\${COMPREPLY[*]}"`;
    return spawnSync("bash", ["-c", script], { encoding: "utf8" }).stdout.trim().split(" ");
  };

  it("offers every option and subcommand in bash", () => {
    const options = variables.flatMap(({ option }) => (option ? [`--${option}`] : []));
    expect(complete("tollscan ")).toEqual(
      expect.arrayContaining([...options, "seed", "store", "completion", "--help"]),
    );
    expect(complete("tollscan --mi")).toEqual(["--mixed-mining"]);
    expect(complete("tollscan --port 1 --mnem")).toEqual(["--mnemonic"]);
    expect(complete("tollscan store c")).toEqual(["copy"]);
    expect(complete("tollscan store copy --f")).toEqual(["--from"]);
    expect(complete("tollscan seed --p")).toEqual(["--payments"]);
    expect(complete("tollscan completion z")).toEqual(["zsh"]);
  });

  it.each(["zsh", "fish"])("offers them in %s", (shell) => {
    const script = toCompletion(shell);
    for (const { option } of variables) {
      if (option) expect(script).toContain(shell === "fish" ? ` -l ${option} ` : `--${option} `);
    }
    for (const { file } of subcommands) expect(script).not.toContain(`${file}.ts`);
    const checked = spawnSync(shell, ["-n"], { input: script, encoding: "utf8" });
    if (!checked.error) expect(checked).toMatchObject({ status: 0, stderr: "" });
  });
});
