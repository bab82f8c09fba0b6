import { expect, test } from "vitest";
import { keccakModule } from "@/server/ethereum/codec/keccakArtifact";
import { compileMachine } from "@/server/evm/compile";
import { plainMachine } from "@/server/evm/plainArtifact";
import { tracedMachine } from "@/server/evm/tracedArtifact";

test.each([
  ["plain", plainMachine],
  ["traced", tracedMachine],
  ["keccak", keccakModule],
] as const)("the %s module is what its sources compile to", async (build, artifact) => {
  const binary = await compileMachine(build);
  expect(Buffer.from(binary).toString("base64")).toBe(artifact);
});

test("only the traced build calls its host for steps and frames", () => {
  const listImports = (artifact: string) =>
    WebAssembly.Module.imports(new WebAssembly.Module(Buffer.from(artifact, "base64"))).map(({ name }) => name);
  const events = ["step", "enter", "exit"];
  expect(listImports(plainMachine).filter((name) => events.includes(name))).toEqual([]);
  expect(listImports(tracedMachine)).toEqual(expect.arrayContaining(events));
});
