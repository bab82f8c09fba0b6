/**
 * Reads recorded exchanges in the format of execution-apis: `>>` marks a request, `<<` its response and `//` a comment.
 * The comment `speconly` means that only the response's shape is compared.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type MethodName, methods } from "@/lib/rpc/methods";

export type Exchange = { request: { method: string; params?: unknown }; text: string; answer: unknown };
export type Recording = { method: string; name: string; file: string; isShapeOnly: boolean; exchanges: Exchange[] };
type Answer = { result?: unknown; error?: { code: number; message: string; data?: unknown } };

/** Returns all recordings in a folder of `<method>/<case>.io` files, sorted by method and case. */
export function listRecordings(folder: string): Recording[] {
  return readdirSync(folder)
    .toSorted()
    .flatMap((method) =>
      readdirSync(join(folder, method))
        .filter((file) => file.endsWith(".io"))
        .toSorted()
        .map((file) => readRecording(method, join(folder, method, file))),
    );
}

function readRecording(method: string, file: string): Recording {
  const exchanges: Exchange[] = [];
  const lines = readFileSync(file, "utf8").split("\n");
  for (const line of lines) {
    if (line.startsWith(">> ")) {
      exchanges.push({ text: line.slice(3), request: JSON.parse(line.slice(3)), answer: undefined });
    } else if (line.startsWith("<< ")) exchanges.at(-1)!.answer = JSON.parse(line.slice(3));
  }
  const isShapeOnly = lines.some((line) => line.startsWith("//") && line.includes("speconly"));
  const name = file.slice(file.lastIndexOf("/") + 1, -".io".length);
  return { method, name, file, isShapeOnly, exchanges };
}

/** Writes the responses into a recording, except for responses that are compared only by their shape. */
export function writeAnswers(recording: Recording, answers: unknown[]): void {
  const remarks = readFileSync(recording.file, "utf8")
    .split("\n")
    .filter((line) => line.startsWith("//"));
  const lines = recording.exchanges.flatMap(({ text }, position) => [
    `>> ${text}`,
    ...(recording.isShapeOnly ? [] : [`<< ${JSON.stringify(answers[position])}`]),
  ]);
  mkdirSync(dirname(recording.file), { recursive: true });
  writeFileSync(recording.file, `${[...remarks, ...lines].join("\n")}\n`);
}

/** Describes how a result deviates from the method's declared shape, or returns undefined if it matches. */
export function findShapeFault(method: string, result: unknown): string | undefined {
  const checked = methods[method as MethodName].result.safeParse(result);
  return checked.success ? undefined : JSON.stringify(checked.error.issues.slice(0, 3));
}

/**
 * Describes how a response differs from the recorded one, or returns undefined if it matches. For errors, only the code
 * and data are compared, because messages are for people.
 */
export function findDifference(recording: Recording, exchange: Exchange, answer: Answer): string | undefined {
  const wanted = exchange.answer as Answer | undefined;
  if (answer.error) {
    if (wanted && !wanted.error) return `got error ${answer.error.code} (${answer.error.message}), want a result`;
    if (!wanted || recording.isShapeOnly) return undefined;
    const { code, data } = wanted.error!;
    if (answer.error.code !== code) return `got error code ${answer.error.code}, want ${code}`;
    return data === undefined ? undefined : findPath(data, answer.error.data, "error.data");
  }
  if (wanted?.error) return `got a result, want error ${wanted.error.code}: ${wanted.error.message}`;
  const fault = findShapeFault(recording.method, answer.result);
  if (fault) return `the result doesn't have the declared shape: ${fault}`;
  return recording.isShapeOnly || !wanted ? undefined : findPath(wanted.result, answer.result, "result");
}

/** Returns the path to the first difference between two JSON values. */
function findPath(wanted: unknown, given: unknown, path: string): string | undefined {
  if (Object.is(wanted, given)) return undefined;
  if (typeof wanted !== "object" || typeof given !== "object" || wanted === null || given === null) {
    return `${path} is ${JSON.stringify(given)?.slice(0, 200)}, recorded is ${JSON.stringify(wanted)?.slice(0, 200)}`;
  }
  for (const key of new Set([...Object.keys(wanted), ...Object.keys(given)])) {
    const difference = findPath(Reflect.get(wanted, key), Reflect.get(given, key), `${path}.${key}`);
    if (difference) return difference;
  }
  return undefined;
}
