/**
 * A handler's result that is JSON already. Traces arrive from a worker as text, because reading one into objects and
 * writing it again would hold this thread for as long as the trace is large.
 */
const json = Symbol("json");

/** Stands for the result whose JSON this is. */
export const toJsonText = <Result>(text: string): Result => ({ [json]: text }) as Result;

/** The JSON of a result made by toJsonText; undefined for any other. */
export function findJsonText(result: unknown): string | undefined {
  return typeof result === "object" && result !== null && json in result ? (result[json] as string) : undefined;
}
