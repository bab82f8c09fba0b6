/**
 * How a JSON-RPC method is declared. One declaration gives the params validation, the handler's types, viem's client
 * types, the OpenRPC document, the console's form and the documentation.
 */
import type { z } from "zod";

export type MethodExample = {
  summary: string;
  params: unknown[];
  /** The example is of a refusal: a fresh chain answers an error. */
  refused?: true;
};

export type MethodDefinition<
  Name extends string = string,
  Params extends z.ZodType<readonly unknown[]> = z.ZodType<readonly unknown[]>,
  Result extends z.ZodType = z.ZodType,
> = {
  name: Name;
  /** One sentence. */
  summary: string;
  /** Names of the positional params, for by-name params, OpenRPC and forms. */
  paramNames: readonly string[];
  /** A tuple whose output is the domain value the handler takes. Defaults for omitted params stand here. */
  params: Params;
  /** Wire shape of the result. */
  result: Result;
  /** At least one, runnable as it is against a fresh chain. */
  examples: readonly [MethodExample, ...MethodExample[]];
};

export function defineMethod<
  const Name extends string,
  Params extends z.ZodType<readonly unknown[]>,
  Result extends z.ZodType,
>(definition: MethodDefinition<Name, Params, Result>): MethodDefinition<Name, Params, Result> {
  return definition;
}
