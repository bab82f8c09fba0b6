/**
 * Marks a handler's result that is already JSON. Workers return large traces as text, because parsing and serializing
 * them again would block this thread.
 */
const json = Symbol("json");

/** Wraps a result's JSON, so it isn't serialized again. */
export const toJsonText = <Result>(text: string): Result => ({ [json]: text }) as Result;

/** The JSON of a result that `toJsonText` wrapped; undefined for any other result. */
export function findJsonText(result: unknown): string | undefined {
  return typeof result === "object" && result !== null && json in result ? (result[json] as string) : undefined;
}
