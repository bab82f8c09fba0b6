/**
 * Declares JSON-RPC methods. Each method has a single entry, from which everything is derived: validation, types,
 * access control, OpenRPC, the console, llms.txt, exports and forwarding.
 */
import { z } from "zod";
import { type MethodError, needsSocket, noDevControls, notAllowed } from "@/lib/rpc/schema/errors";
import type { LimitName } from "@/lib/rpc/schema/limits";
import type { MethodExample, ToLiveExamples } from "@/lib/rpc/schema/live";

/**
 * - `reads`: returns existing data.
 * - `runs`: executes code without changing state.
 * - `filters`: creates, polls or removes a filter.
 * - `sends`: submits a signed transaction.
 * - `follows`: needs a long-lived connection.
 * - `signs`: has the node sign or pay for a transaction.
 * - `controls`: changes the chain directly, for test suites.
 */
export const methodEffects = ["reads", "runs", "filters", "sends", "follows", "signs", "controls"] as const;
export type MethodEffect = (typeof methodEffects)[number];

/** Only methods without side effects can be exported, because anyone may open a download link. */
type Exportable<Effect extends MethodEffect> = Effect extends "reads" | "runs" ? unknown : { isExported?: never };

/**
 * The kind of data that determines whether a result can still change. server/rpc/finalAnswers.ts has a rule for each
 * kind.
 */
export type FinalBy = "block" | "transaction" | "value" | "code" | "logs" | "fees" | "transactionTrace" | "blockTrace";

/** A method's declaration. `defineMethods` adds the name and the effect. */
type Declaration = {
  /** One sentence. */
  summary: string;
  /** Set if the method is available only with dev controls. */
  requires?: "devControls";
  /** Set if the method is restricted as those that change the chain are, although it only reads. */
  isRestricted?: boolean;
  /** The names of the positional params. Used in OpenRPC and forms, and for params that callers pass by name. */
  paramNames?: readonly string[];
  /** A tuple schema that decodes to the handler's params, including defaults for omitted ones. */
  params?: z.ZodType<readonly unknown[]>;
  /** The result's shape in wire format. */
  result: z.ZodType;
  /** The errors that are specific to this method. `listErrors` adds the errors that `effect` and `requires` imply. */
  errors?: readonly MethodError[];
  /** Limits that apply only to this method. Limits on the request and response size apply to every method. */
  limits?: readonly LimitName[];
  /** Whether /api/export offers the result as a file. */
  isExported?: boolean;
  /** For a paginated list, the field in the last param that accepts `next` from the previous result. */
  cursor?: "before" | "after";
  /** Whether a remote network forwards calls of this method to its node. */
  isForwarded?: boolean;
  /**
   * Whether the Metered JSON-RPC resource sells calls of this method. Only set for bounded reads without side effects.
   */
  isMetered?: boolean;
  /** Set if some of this method's results never change and are worth caching. */
  finalBy?: FinalBy;
  /** There is at least one example. Each must work unchanged on a fresh chain. */
  examples: readonly [MethodExample, ...MethodExample[]];
  /**
   * Examples with data from the current chain. If this is omitted, the console fills in the network's account and
   * token.
   */
  toLiveExamples?: ToLiveExamples;
};

export type MethodDefinition<
  Name extends string = string,
  Params extends z.ZodType<readonly unknown[]> = z.ZodType<readonly unknown[]>,
  Result extends z.ZodType = z.ZodType,
> = Omit<Declaration, "params" | "result"> & {
  name: Name;
  /**
   * Methods with the effect `signs` or `controls` are restricted: calls are rejected unless the caller is local or from
   * an allowed origin.
   */
  effect: MethodEffect;
  paramNames: readonly string[];
  params: Params;
  result: Result;
  /** The method whose handler also handles this method. */
  aliasOf?: string;
};

const noParams = z.tuple([]);
type NoParams = typeof noParams;

type Defined<Declared extends Record<string, Declaration>> = {
  [Name in keyof Declared & string]: MethodDefinition<
    Name,
    Declared[Name]["params"] extends z.ZodType<readonly unknown[]> ? Declared[Name]["params"] : NoParams,
    Declared[Name]["result"]
  >;
};

/**
 * Declares methods by wire name. Without `paramNames` and `params`, a method accepts no params. Methods with the effect
 * `controls` require dev controls.
 */
export function defineMethods<
  Effect extends MethodEffect,
  Declared extends Record<string, Declaration & Exportable<Effect>>,
>(effect: Effect, declared: Declared): Defined<Declared> {
  const entries = Object.entries<Declaration>(declared).map(([name, declaration]) => [
    name,
    {
      paramNames: [],
      params: noParams,
      ...(effect === "controls" && { requires: "devControls" }),
      ...declaration,
      name,
      effect,
    },
  ]);
  return Object.fromEntries(entries) as Defined<Declared>;
}

export const toAliasText = (of: string) => `Same as ${of}.`;

/** Declares the same methods under other names. */
export function aliasMethods<
  Methods extends Record<string, MethodDefinition>,
  const Aliases extends Record<string, keyof Methods & string>,
>(methods: Methods, aliases: Aliases) {
  const entries = Object.entries(aliases).map(([name, of]) => [
    name,
    { ...methods[of], name, aliasOf: of, summary: `${toAliasText(of)} ${methods[of]?.summary}` },
  ]);
  return Object.fromEntries(entries) as {
    [Name in keyof Aliases & string]: Omit<Methods[Aliases[Name]], "name"> & { name: Name; aliasOf: Aliases[Name] };
  };
}

/** Whether a method is restricted: most of these change the chain without the caller's signature. */
export function isControlled({ effect, isRestricted }: Pick<MethodDefinition, "effect" | "isRestricted">): boolean {
  return effect === "controls" || effect === "signs" || isRestricted === true;
}

/**
 * The method's specific errors. They include the errors that its effect and requirements imply, but not the errors that
 * every method can return.
 */
export function listErrors(
  definition: Pick<MethodDefinition, "effect" | "isRestricted" | "errors" | "requires">,
): MethodError[] {
  return [
    ...(definition.errors ?? []),
    ...(definition.effect === "follows" ? [needsSocket] : []),
    ...(definition.requires === "devControls" ? [noDevControls] : []),
    ...(isControlled(definition) ? [notAllowed] : []),
  ];
}

/** The part of a method's name before its separator, such as "eth" or "rpc". */
export function toNamespace(name: string): string {
  return /^[a-z0-9]+/i.exec(name)?.[0] ?? name;
}
