/**
 * npm script "evm:build": compiles assembly/ and writes the artifacts. The artifacts are committed, so only this script
 * needs the compiler. compile.test.ts checks that they match the sources.
 */
import { writeFileSync } from "node:fs";
import { type Build, builds, compileMachine, toArtifact } from "@/server/evm/compile";

for (const [build, { artifact }] of Object.entries(builds) as [Build, (typeof builds)[Build]][]) {
  const binary = await compileMachine(build);
  writeFileSync(new URL(artifact, import.meta.url), toArtifact(binary, build));
  process.stdout.write(`${artifact} ${binary.length} bytes\n`);
}
