import { expect, test } from "vitest";
import { compileMachine } from "@/server/chain/evm/machine/compile";
import { plainMachine } from "@/server/chain/evm/machine/plainArtifact";
import { tracedMachine } from "@/server/chain/evm/machine/tracedArtifact";

test.each([
  ["the machine", false, plainMachine],
  ["its traced build", true, tracedMachine],
] as const)("%s is what its sources compile to", async (_, isTraced, artifact) => {
  const binary = await compileMachine(isTraced);
  expect(Buffer.from(binary).toString("base64")).toBe(artifact);
});

test("only the traced build calls its host for steps and frames", () => {
  const listImports = (artifact: string) =>
    WebAssembly.Module.imports(new WebAssembly.Module(Buffer.from(artifact, "base64"))).map(({ name }) => name);
  const events = ["step", "enter", "exit"];
  expect(listImports(plainMachine).filter((name) => events.includes(name))).toEqual([]);
  expect(listImports(tracedMachine)).toEqual(expect.arrayContaining(events));
});
