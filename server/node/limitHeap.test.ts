import { spawnSync } from "node:child_process";
import { expect, it } from "vitest";
import { typescript } from "@/server/bin/prepare.mjs";

it("sets an option that this version of V8 knows", () => {
  // V8 reports an unknown option only on stderr.
  const program = 'const { limitHeap } = await import("@/server/node/limitHeap"); limitHeap();';
  const args = [...typescript, "--input-type=module", "--eval", program];
  expect(spawnSync(process.execPath, args, { encoding: "utf8" })).toMatchObject({ status: 0, stdout: "", stderr: "" });
});
