/**
 * Tests copying the project for a build: the copy has the project and its packages without the excluded files, and is
 * independent of the original.
 */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { buildOutput, copyProject } from "@/server/tools/deploy/build";

const folder = mkdtempSync(join(tmpdir(), "tollscan-copy-"));
const [root, copy] = [join(folder, "project"), join(folder, "copy")];
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function write(file: string, content: string) {
  mkdirSync(dirname(join(root, file)), { recursive: true });
  writeFileSync(join(root, file), content);
}

it("builds a copy with all deployed files and package links, and does not change the project", async () => {
  const files = ["app/page.tsx", "node_modules/a/index.js", "vercel.json", ".cache/publicContracts.json"];
  const left = ["e2e/a.spec.ts", "app/page.test.ts", ".git/HEAD", ".next/BUILD_ID", "node_modules/.cache/x"];
  for (const file of [...files, ...left]) write(file, "{}");
  write(".vercelignore", "# a comment\ne2e\n");
  mkdirSync(join(root, "node_modules/.bin"));
  symlinkSync("../a/index.js", join(root, "node_modules/.bin/a"));

  copyProject(root, copy);
  for (const file of files) expect(existsSync(join(copy, file)), file).toBe(true);
  for (const file of left) expect(existsSync(join(copy, file)), file).toBe(false);
  expect(readlinkSync(join(copy, "node_modules/.bin/a"))).toBe("../a/index.js");

  // A script that takes the place of Vercel's CLI and records its arguments and environment.
  const tool = join(folder, "tool.mjs");
  writeFileSync(
    tool,
    'import { writeFileSync } from "node:fs";\n' +
      'writeFileSync("said.json", JSON.stringify({ args: process.argv.slice(2), env: process.env }));',
  );
  process.env.VERCEL_TOKEN = "the user's own token";
  try {
    await buildOutput(tool, copy);
  } finally {
    delete process.env.VERCEL_TOKEN;
  }
  const said = JSON.parse(readFileSync(join(copy, "said.json"), "utf8"));
  expect(said.args[0]).toBe("build");
  expect(said.env).not.toHaveProperty("VERCEL_TOKEN");
  expect(said.env.HOME.startsWith(copy)).toBe(true);
  expect(JSON.parse(readFileSync(join(copy, "vercel.json"), "utf8")).installCommand).toBe("node --version");
  expect(readFileSync(join(root, "vercel.json"), "utf8")).toBe("{}");
});

it("includes the CLI's output in the error if a build fails", async () => {
  const tool = join(folder, "broken.mjs");
  writeFileSync(tool, 'console.error("no such framework"); process.exit(3);');
  rmSync(join(copy, ".vercel"), { recursive: true });
  await expect(buildOutput(tool, copy)).rejects.toThrow(/no such framework[\s\S]*vercel build failed \(3\)/);
});
