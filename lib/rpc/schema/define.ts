/**
 * How a JSON-RPC method is declared. This one entry gives params validation, handler and client types, access control,
 * OpenRPC, the console, llms.txt, exports and what remote networks forward: no other table names methods.
 */
import type { z } from "zod";
import { type MethodError, needsSocket, noDevControls, notAllowed } from "@/lib/rpc/schema/errors";
import type { LimitName } from "@/lib/rpc/schema/limits";
import type { MethodExample, ToLiveExamples } from "@/lib/rpc/schema/live";

/**
 * reads: answers from existing data. runs: executes code in a worker and keeps nothing. sends: submits a transaction that
 * the caller signed. follows: needs a connection that stays open. signs: the node itself signs or pays for a transaction.
 * controls: changes the chain directly, for test suites.
 */
export type MethodEffect = "reads" | "runs" | "sends" | "follows" | "signs" | "controls";

/** What the params of a final answer name; server/rpc/finalAnswers.ts has a rule for each. */
export type FinalBy = "block" | "transaction" | "state" | "logs" | "fees" | "transactionTrace" | "blockTrace";

export type MethodDefinition<
  Name extends string = string,
  Params extends z.ZodType<readonly unknown[]> = z.ZodType<readonly unknown[]>,
  Result extends z.ZodType = z.ZodType,
> = {
  name: Name;
  /** One sentence. */
  summary: string;
  /** Callers who are neither local nor at an allowed origin are refused what signs or controls. */
  effect: MethodEffect;
  /** What a network must have to serve the method. */
  requires?: "devControls" | "faucet";
  /** Names of the positional params, for by-name params, OpenRPC and forms. */
  paramNames: readonly string[];
  /** A tuple whose output is the domain value the handler takes. Defaults for omitted params belong here. */
  params: Params;
  /** Wire shape of the result. */
  result: Result;
  /** Errors of its own. Those that follow from effect and requires are added by listErrors. */
  errors?: readonly MethodError[];
  /** Limits besides those on the size of every request and response. */
  limits?: readonly LimitName[];
  /** Whether /api/export offers the result as a file. */
  isExported?: boolean;
  /** The field of the last param that takes the result's next, if the result is a paged list. */
  cursor?: "before" | "after";
  /** Whether a remote network that has no answer of its own forwards the call to its node. */
  isForwarded?: boolean;
  /** Whether the Metered JSON-RPC resource sells calls of it: bounded reads of the chain that leave nothing behind. */
  isMetered?: boolean;
  /** Set if some answers can never change and are worth keeping. */
  finalBy?: FinalBy;
  /** At least one that runs as it is on a fresh chain. */
  examples: readonly [MethodExample, ...MethodExample[]];
  /** Examples about what is on the chain now. Without it the console fills in the network's account and token. */
  toLiveExamples?: ToLiveExamples;
  /** The method whose handler answers this one too. */
  aliasOf?: string;
};

export function defineMethod<
  const Name extends string,
  Params extends z.ZodType<readonly unknown[]>,
  Result extends z.ZodType,
>(definition: MethodDefinition<Name, Params, Result>): MethodDefinition<Name, Params, Result> {
  return definition;
}

/** The same method under another name. */
export function aliasMethod<
  const Name extends string,
  const Of extends string,
  Params extends z.ZodType<readonly unknown[]>,
  Result extends z.ZodType,
>(
  name: Name,
  definition: MethodDefinition<Of, Params, Result>,
): MethodDefinition<Name, Params, Result> & { aliasOf: Of } {
  return { ...definition, name, aliasOf: definition.name };
}

/** Whether a method changes the chain without a signature of the caller, so that not everybody may call it. */
export function isControlled({ effect }: Pick<MethodDefinition, "effect">): boolean {
  return effect === "controls" || effect === "signs";
}

/** Every error that a method answers besides those of any method. */
export function listErrors(definition: Pick<MethodDefinition, "effect" | "errors" | "requires">): MethodError[] {
  return [
    ...(definition.errors ?? []),
    ...(definition.effect === "follows" ? [needsSocket] : []),
    ...(definition.requires === "devControls" ? [noDevControls] : []),
    ...(isControlled(definition) ? [notAllowed] : []),
  ];
}

/** The part of a name before its separator: "eth", "rpc". */
export function toNamespace(name: string): string {
  return /^[a-z0-9]+/i.exec(name)?.[0] ?? name;
}
