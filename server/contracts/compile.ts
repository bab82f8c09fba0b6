/**
 * npm script "contracts": compiles server/contracts/src and writes server/contracts/artifacts/<Name>.json. These files
 * are committed, so that neither the node nor its build needs a compiler. compile.test.ts compares them with the
 * sources.
 */
import { writeFileSync } from "node:fs";
import { compileSources, listSources } from "@/server/contracts/compiler";

for (const [name, artifact] of Object.entries(compileSources(listSources()))) {
  writeFileSync(new URL(`./artifacts/${name}.json`, import.meta.url), `${JSON.stringify(artifact, null, 2)}\n`);
  process.stdout.write(`${name} ${(artifact.runtime.length - 2) / 2} bytes ${artifact.codeHash}\n`);
}
