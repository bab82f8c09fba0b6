/**
 * Compiles the machine's AssemblyScript sources to WebAssembly. Used by the build script and by the test that checks
 * the committed artifacts. The same sources compile to the same bytes on every platform.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import asc from "assemblyscript/asc";

const folder = join(import.meta.dirname, "assembly");
const options = ["-O3", "--noAssert", "--converge", "--runtime", "stub", "--memoryBase", "0x2000"];

/**
 * The modules: the plain machine; the traced machine, which calls the host for opcodes and frames; and Keccak for the
 * codecs.
 */
export type Build = "plain" | "traced" | "keccak";
export const builds: Record<Build, { artifact: string; name: string; what: string }> = {
  plain: { artifact: "plainArtifact.ts", name: "plainMachine", what: "The machine" },
  traced: { artifact: "tracedArtifact.ts", name: "tracedMachine", what: "The traced build of the machine" },
  keccak: { artifact: "../ethereum/codec/keccakArtifact.ts", name: "keccakModule", what: "Keccak-256" },
};

const entries: Record<Build, string[]> = {
  plain: ["index.ts", "--exportTable"],
  traced: ["index.ts"],
  keccak: ["hash.ts", "--initialMemory", "2"],
};

/** Returns the module's bytes. Throws an Error with the compiler's messages. */
export async function compileMachine(build: Build): Promise<Uint8Array> {
  let binary: Uint8Array | undefined;
  const { error, stderr } = await asc.main([...entries[build], ...options, "--outFile", "machine.wasm"], {
    readFile(name) {
      if (build === "traced" && name === "config.ts") return "export const TRACED: bool = true;";
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
  if (error || !binary) throw new Error(`The ${build} module does not compile. ${stderr.toString()}`, { cause: error });
  return binary;
}

/** Returns the artifact's source: a module that exports one string, which every bundler and loader supports. */
export function toArtifact(binary: Uint8Array, build: Build): string {
  const { name, what } = builds[build];
  const head = `export const ${name} =`;
  const text = `"${Buffer.from(binary).toString("base64")}";`;
  return `/**
 * ${what} in base64, made by \`npm run evm:build\` from the sources in server/evm/assembly. Do not edit.
 */
${head}
  ${text}
`;
}
