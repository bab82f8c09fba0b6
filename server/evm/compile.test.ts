import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type Build, builds, compileMachine, toArtifact } from "@/server/evm/compile";
import { plainMachine } from "@/server/evm/plainArtifact";
import { tracedMachine } from "@/server/evm/tracedArtifact";

test.each(Object.keys(builds) as Build[])("the committed %s module matches its sources", async (build) => {
  const committed = readFileSync(join(import.meta.dirname, builds[build].artifact), "utf8");
  expect(committed).toBe(toArtifact(await compileMachine(build), build));
});

test("only the traced build reports steps and frames to its host", () => {
  const listImports = (artifact: string) =>
    WebAssembly.Module.imports(new WebAssembly.Module(Buffer.from(artifact, "base64"))).map(({ name }) => name);
  const events = ["step", "enter", "exit"];
  expect(listImports(plainMachine).filter((name) => events.includes(name))).toEqual([]);
  expect(listImports(tracedMachine)).toEqual(expect.arrayContaining(events));
});
