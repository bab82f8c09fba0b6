/**
 * npm script "evm:build": compiles assembly/ and writes the two artifacts beside this file. They are committed, so that
 * neither the node nor its build needs the compiler; compile.test.ts holds them to the sources.
 */
import { writeFileSync } from "node:fs";
import { compileMachine, toArtifact } from "@/server/chain/evm/machine/compile";

for (const isTraced of [false, true]) {
  const binary = await compileMachine(isTraced);
  const name = isTraced ? "tracedArtifact.ts" : "plainArtifact.ts";
  writeFileSync(new URL(name, import.meta.url), toArtifact(binary, isTraced));
  process.stdout.write(`${name} ${binary.length} bytes\n`);
}
