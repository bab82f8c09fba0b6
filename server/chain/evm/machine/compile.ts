/**
 * Compiles the machine's AssemblyScript sources to WebAssembly, for the build program and for the test that holds the
 * committed artifacts to the sources. The same sources give the same bytes on every platform.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import asc from "assemblyscript/asc";

const folder = join(import.meta.dirname, "assembly");
const options = ["-O3", "--noAssert", "--converge", "--runtime", "stub", "--memoryBase", "0x2000"];

/** The module's bytes; the traced build calls its host for every opcode and frame. Throws what the compiler says. */
export async function compileMachine(isTraced: boolean): Promise<Uint8Array> {
  let binary: Uint8Array | undefined;
  const { error, stderr } = await asc.main(["index.ts", ...options, "--outFile", "machine.wasm"], {
    readFile(name) {
      if (isTraced && name === "config.ts") return "export const TRACED: bool = true;";
      try {
        return readFileSync(join(folder, name), "utf8");
      } catch {
        return null;
      }
    },
    writeFile(_, contents) {
      if (typeof contents !== "string") binary = contents;
    },
    listFiles: () => [],
  });
  if (error || !binary) throw new Error(`The machine does not compile. ${stderr.toString()}`, { cause: error });
  return binary;
}

/** The committed form: a module of one string, which every bundler and loader takes as it is. */
export function toArtifact(binary: Uint8Array, isTraced: boolean): string {
  const what = isTraced ? "The traced build of the machine" : "The machine";
  return `/**
 * ${what} in base64, made by \`npm run evm:build\` from the sources in assembly/. Not to be edited.
 */
export const ${isTraced ? "tracedMachine" : "plainMachine"} =
  "${Buffer.from(binary).toString("base64")}";
`;
}
