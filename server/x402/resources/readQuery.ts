/** Reads a resource's query parameters. If a parameter is invalid, throws ResourceError with its name. */
import type { Hex } from "@/lib/x402/types";
import type { HttpRequest } from "@/server/http/types";
import { ResourceError } from "@/server/x402/resources/resource";

/** Reads an integer between two inclusive bounds. If the parameter is missing, returns the fallback. */
export function getInteger(
  { query }: HttpRequest,
  name: string,
  bounds: { min: number; max: number; fallback: number },
): number {
  const text = query.get(name);
  if (text === null) return bounds.fallback;
  const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= bounds.min && value <= bounds.max) return value;
  throw new ResourceError(400, `${name} must be an integer from ${bounds.min} to ${bounds.max}.`);
}

/** Reads an address and lowercases it. If the parameter is missing, uses the fallback. */
export function getAddress({ query }: HttpRequest, name: string, fallback?: Hex): Hex {
  const text = query.get(name) ?? fallback;
  if (text !== undefined && /^0x[0-9a-fA-F]{40}$/.test(text)) return text.toLowerCase() as Hex;
  throw new ResourceError(400, `${name} must be an address: 0x followed by 40 hex characters.`);
}

/** Reads one of the allowed words. If the parameter is missing, returns the first one. */
export function getWord<const Word extends string>(
  { query }: HttpRequest,
  name: string,
  words: readonly [Word, ...Word[]],
): Word {
  const text = query.get(name) ?? words[0];
  const found = words.find((word) => word === text);
  if (found !== undefined) return found;
  throw new ResourceError(400, `${name} must be ${words.join(" or ")}.`);
}
