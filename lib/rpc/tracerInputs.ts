/**
 * Params that choose a tracer: one of geth's tracers by name, with its options, or a tracer written in JavaScript.
 * Unknown keys are ignored, and null is treated as absent.
 */
import { z } from "zod";
import type { NetworkProfile } from "@/lib/networks";
import { blockOverrides, stateOverrides } from "@/lib/rpc/inputs";

const names = [
  "callTracer",
  "prestateTracer",
  "structLog",
  "4byteTracer",
  "erc7562Tracer",
  "flatCallTracer",
  "muxTracer",
  "noopTracer",
] as const;
type Name = (typeof names)[number];

const isName = (text: string): text is Name => names.some((name) => name === text);

/** The maximum length of a JavaScript tracer's source, in characters. */
const maxCode = 200_000;

const options = z.looseObject({
  onlyTopCall: z.boolean().nullish(),
  withLog: z.boolean().nullish(),
  diffMode: z.boolean().nullish(),
  disableCode: z.boolean().nullish(),
  disableStorage: z.boolean().nullish(),
  convertParityErrors: z.boolean().nullish(),
  includePrecompiles: z.boolean().nullish(),
  ignoredOpcodes: z.array(z.union([z.int(), z.string().regex(/^0x[0-9a-f]{1,2}$/i)])).nullish(),
});
type Options = z.output<typeof options>;

const expected = `expected ${names.slice(0, -1).join(", ")}, ${names.at(-1)} or a JavaScript object`;

const tracerFields = {
  tracer: z
    .union(
      [
        z.enum(names),
        // If the text has no braces, it is a misspelled tracer name rather than code.
        z.string().max(maxCode).regex(/[{]/).meta({ title: "JavaScript" }),
      ],
      expected,
    )
    .nullish(),
  tracerConfig: options.nullish(),
  enableMemory: z.boolean().nullish(),
  /** Applies only to Hardhat's struct logs, which contain the memory by default. */
  disableMemory: z.boolean().nullish(),
  disableStack: z.boolean().nullish(),
  disableStorage: z.boolean().nullish(),
  enableReturnData: z.boolean().nullish(),
  limit: z.int().nonnegative().nullish(),
};

/** muxTracer runs several tracers. Its options map each tracer's name to that tracer's options. */
function checkMux(
  given: { tracer?: string | null | undefined; tracerConfig?: Options | null | undefined },
  context: z.RefinementCtx,
): void {
  if (given.tracer !== "muxTracer") return;
  for (const [name, inner] of Object.entries(given.tracerConfig ?? {})) {
    const path = ["tracerConfig", name];
    if (!isName(name) || name === "structLog") {
      context.addIssue({ code: "custom", path, message: "expected the name of a tracer" });
    } else if (!options.nullish().safeParse(inner).success) {
      context.addIssue({ code: "custom", path, message: "expected the tracer's options" });
    } else checkMux({ tracer: name, tracerConfig: inner as Options | null }, context);
  }
}

export const tracer = z.object(tracerFields).superRefine(checkMux).nullish();

/** The options for debug_traceCall, which also contain the overrides. */
export const callTracerOptions = z
  .object({ ...tracerFields, stateOverrides: stateOverrides.nullish(), blockOverrides: blockOverrides.nullish() })
  .superRefine(checkMux)
  .nullish();

export type TracerInput =
  | { tracer: "callTracer"; onlyTopCall: boolean; withLog: boolean }
  | { tracer: "prestateTracer"; diffMode: boolean; disableCode: boolean; disableStorage: boolean }
  | {
      tracer: "structLog";
      enableMemory: boolean;
      disableStack: boolean;
      disableStorage: boolean;
      enableReturnData: boolean;
      limit: number;
      /** Whether the result has the format of Hardhat's node instead of geth's. */
      hardhat?: boolean;
    }
  | { tracer: "4byteTracer" | "noopTracer" }
  | { tracer: "erc7562Tracer"; withLog: boolean; ignoredOpcodes: number[] | undefined }
  | { tracer: "flatCallTracer"; convertParityErrors: boolean; includePrecompiles: boolean }
  /** The tracers to run, keyed by name. The result has the same keys. */
  | { tracer: "muxTracer"; tracers: Record<string, TracerInput> }
  /** A JavaScript tracer: `code` is the source of the tracer object, and `config` is its options as JSON. */
  | { tracer: "javascript"; code: string; config: string };

const structKeys = ["enableMemory", "disableStack", "disableStorage", "enableReturnData", "limit"] as const;

/**
 * Returns the requested tracer. If none is requested, returns the struct logger if any of its options are set or if
 * `hardhat` is set. Otherwise, returns the profile's default. Options for other tracers are ignored.
 */
export function toTracer(given: z.output<typeof tracer>, profile: NetworkProfile, hardhat = false): TracerInput {
  const wantsStruct = hardhat || profile === "ethereum" || structKeys.some((key) => given?.[key] != null);
  const chosen = given?.tracer ?? (wantsStruct ? "structLog" : "callTracer");
  if (chosen === "structLog") {
    return {
      tracer: "structLog",
      enableMemory: hardhat ? !given?.disableMemory : (given?.enableMemory ?? false),
      disableStack: given?.disableStack ?? false,
      disableStorage: given?.disableStorage ?? false,
      enableReturnData: given?.enableReturnData ?? false,
      limit: given?.limit ?? 0,
      hardhat,
    };
  }
  const tracerConfig = given?.tracerConfig ?? {};
  if (!isName(chosen)) return { tracer: "javascript", code: chosen, config: JSON.stringify(tracerConfig) };
  return toNamed(chosen as Exclude<Name, "structLog">, tracerConfig);
}

function toNamed(name: Exclude<Name, "structLog">, given: Options): TracerInput {
  switch (name) {
    case "callTracer":
      return { tracer: name, onlyTopCall: given.onlyTopCall ?? false, withLog: given.withLog ?? false };
    case "prestateTracer":
      return {
        tracer: name,
        diffMode: given.diffMode ?? false,
        disableCode: given.disableCode ?? false,
        disableStorage: given.disableStorage ?? false,
      };
    case "erc7562Tracer":
      return { tracer: name, withLog: given.withLog ?? false, ignoredOpcodes: given.ignoredOpcodes?.map(Number) };
    case "flatCallTracer":
      return {
        tracer: name,
        convertParityErrors: given.convertParityErrors ?? false,
        includePrecompiles: given.includePrecompiles ?? false,
      };
    case "muxTracer": {
      const entries = Object.entries(given) as [Exclude<Name, "structLog">, Options | null][];
      return {
        tracer: name,
        tracers: Object.fromEntries(entries.map(([inner, own]) => [inner, toNamed(inner, own ?? {})])),
      };
    }
    default:
      return { tracer: name };
  }
}
