/**
 * Defines a priced resource: a price, an input that is checked before payment, and a function that serves it. A
 * resource handles neither HTTP nor payments, and reads its network through a request function.
 */
import type { PayableNetwork } from "@/lib/networks";
import type { HttpRequest } from "@/server/http/types";
import type { Eip1193Request } from "@/server/ports/eip1193";

export type ResourceNetwork = { network: PayableNetwork; request: Eip1193Request };

type ResourcePrice =
  | {
      scheme: "exact";
      /** "$0.01" */
      amount: string;
      /** `dollar` is the network's first token; `plain` is its first token without EIP-3009. */
      token: "dollar" | "plain";
    }
  | {
      scheme: "upto";
      /** The maximum charge. */
      amount: string;
      /** The unit that is billed, in the singular, and the price per unit. */
      unit: string;
      unitAmount: string;
    };

/**
 * The response body and, for `upto`, the number of units to charge for. Text is sent unchanged, and anything else is
 * sent as JSON.
 */
export type Served = { body: unknown; mimeType?: string; count?: number };

/**
 * Thrown if the request is invalid or the requested item does not exist. The payer is not charged and sees the message.
 */
export class ResourceError extends Error {
  override name = "ResourceError";
  readonly status: 400 | 404 | 413 | 422;

  constructor(status: 400 | 404 | 413 | 422, message: string) {
    super(message);
    this.status = status;
  }
}

/** `maxCount` is the number of units that the maximum charge covers. For `exact`, it is 1. */
export type ServeContext = ResourceNetwork & { maxCount: number };

export type ResourceDefinition<Input> = {
  /** The last segment of the resource's path. */
  name: string;
  title: string;
  /** A short description for the 402 response and the catalog. */
  description: string;
  method: "GET" | "POST";
  mimeType: string;
  price: ResourcePrice;
  /** The JSON Schema of the query for GET, or of the body for POST. */
  input: Record<string, unknown>;
  /** An example query that works even on a fresh chain. */
  exampleQuery?: Record<string, string>;
  exampleBody?: unknown;
  /** Parses the request's input. Throws ResourceError. */
  toInput(request: HttpRequest, context: ServeContext): Input;
  /** Throws ResourceError if the requested item does not exist. */
  serve(input: Input, context: ServeContext): Promise<Served>;
};

/** A resource with its input type hidden. This gives all resources the same type. */
export type Resource = Omit<ResourceDefinition<never>, "toInput" | "serve"> & {
  prepare(request: HttpRequest, context: ServeContext): () => Promise<Served>;
};

/** Ensures that `toInput` and `serve` have the same input type. */
export function defineResource<Input>({ toInput, serve, ...rest }: ResourceDefinition<Input>): Resource {
  return {
    ...rest,
    prepare(request, context) {
      const input = toInput(request, context);
      return () => serve(input, context);
    },
  };
}
