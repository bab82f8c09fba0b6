/**
 * Turns Solidity sources into artifacts with the npm package solc and fixed settings. The same sources give the same
 * bytes on every machine, because metadata is omitted and source names are relative.
 */
import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import solc from "solc";
import { type Abi, keccak256, toEventSelector, toFunctionSelector } from "viem";
import { formatAbiItem } from "viem/utils";

type Hex = `0x${string}`;

export type Artifact = {
  abi: Abi;
  /** Creation code. */
  bytecode: Hex;
  /** The deployed code. It needs no constructor, because contracts with immutables are rejected. */
  runtime: Hex;
  /** The keccak256 hash of the runtime code. */
  codeHash: Hex;
  /** Each state variable's slot, and its offset in bytes from the low end of the slot. */
  storageLayout: Record<string, { slot: number; offset: number; type: string }>;
  /** By signature. */
  selectors: { functions: Record<string, Hex>; errors: Record<string, Hex>; events: Record<string, Hex> };
};

/**
 * Cancun is the oldest fork that runs this code: SignatureChecker needs MCOPY, and the proxies need transient storage.
 */
const settings = {
  optimizer: { enabled: true, runs: 10_000 },
  viaIR: true,
  evmVersion: "cancun",
  metadata: { appendCBOR: false, bytecodeHash: "none" },
  outputSelection: {
    "*": {
      "*": ["abi", "evm.bytecode.object", "evm.deployedBytecode", "evm.methodIdentifiers", "storageLayout"],
    },
  },
} as const;

type Output = {
  errors?: { severity: string; formattedMessage: string; sourceLocation?: { file: string } }[];
  contracts?: Record<string, Record<string, CompiledContract>>;
};
type CompiledContract = {
  abi: Abi;
  evm: {
    bytecode: { object: string };
    deployedBytecode: { object: string; immutableReferences?: Record<string, unknown> };
    methodIdentifiers: Record<string, string>;
  };
  storageLayout?: { storage: { label: string; slot: string; offset: number; type: string }[] };
};

const require = createRequire(import.meta.url);
const sourceFolder = new URL("./src/", import.meta.url);

/** The sorted paths of the .sol files in server/contracts/src, or in one of its subfolders (for example "test/"). */
export function listSources(folder = ""): string[] {
  return readdirSync(new URL(folder, sourceFolder))
    .filter((name) => name.endsWith(".sol"))
    .sort()
    .map((name) => `${folder}${name}`);
}

/**
 * Compiles the named files and returns the artifact of every deployable contract, by contract name. Throws the
 * compiler's message if there are errors, or warnings in our sources. Throws if a contract has immutables, because a
 * genesis runs no constructor. Each file is compiled separately, because additional sources would change the
 * optimizer's order.
 */
export function compileSources(names: readonly string[]): Record<string, Artifact> {
  const artifacts: Record<string, Artifact> = {};
  for (const name of names) {
    for (const [contract, compiled] of Object.entries(compileFile(name))) {
      if (compiled.evm.bytecode.object !== "") artifacts[contract] = toArtifact(contract, compiled);
    }
  }
  return artifacts;
}

function compileFile(name: string): Record<string, CompiledContract> {
  const sources = { [name]: { content: readFileSync(new URL(name, sourceFolder), "utf8") } };
  const input = JSON.stringify({ language: "Solidity", sources, settings });
  const output = JSON.parse(solc.compile(input, { import: readImport })) as Output;
  // Warnings in packages are ignored, but errors in packages are not.
  const complaints = (output.errors ?? []).filter(
    ({ severity, sourceLocation }) =>
      severity === "error" || (severity === "warning" && !sourceLocation?.file.startsWith("@")),
  );
  if (complaints.length > 0) {
    throw new Error(complaints.map(({ formattedMessage }) => formattedMessage).join("\n"));
  }
  return output.contracts?.[name] ?? {};
}

function toArtifact(name: string, { abi, evm, storageLayout }: CompiledContract): Artifact {
  if (Object.keys(evm.deployedBytecode.immutableReferences ?? {}).length > 0) {
    throw new Error(`${name} has immutables, which a genesis allocation cannot set; use storage instead.`);
  }
  const runtime: Hex = `0x${evm.deployedBytecode.object}`;
  const errors: Record<string, Hex> = {};
  const events: Record<string, Hex> = {};
  for (const item of abi) {
    if (item.type === "error") errors[formatAbiItem(item)] = toFunctionSelector(formatAbiItem(item));
    if (item.type === "event") events[formatAbiItem(item)] = toEventSelector(item);
  }
  return {
    abi,
    bytecode: `0x${evm.bytecode.object}`,
    runtime,
    codeHash: keccak256(runtime),
    storageLayout: Object.fromEntries(
      (storageLayout?.storage ?? []).map(({ label, slot, offset, type }) => [
        label,
        // Struct types contain an AST node ID that means nothing here, so it is removed.
        { slot: Number(slot), offset, type: type.replace(/\)\d+_storage/g, ")_storage") },
      ]),
    ),
    selectors: {
      functions: Object.fromEntries(
        Object.entries(evm.methodIdentifiers).map(([signature, selector]) => [signature, `0x${selector}` as Hex]),
      ),
      errors,
      events,
    },
  };
}

/** solc requests an import by its name: a package path, or a path below src. */
function readImport(path: string): { contents: string } | { error: string } {
  try {
    const file = path.startsWith("@") ? require.resolve(path) : fileURLToPath(new URL(path, sourceFolder));
    return { contents: readFileSync(file, "utf8") };
  } catch {
    return { error: `${path} is neither in server/contracts/src nor in an installed package.` };
  }
}
