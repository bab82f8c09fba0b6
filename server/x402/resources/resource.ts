/**
 * What a priced resource is: a price, an input that is checked before anybody pays, and how it is served. A resource
 * knows its network by the request function alone and touches neither HTTP nor payments.
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
      /** dollar: the network's first token; plain: its first token without EIP-3009. */
      token: "dollar" | "plain";
    }
  | {
      scheme: "upto";
      /** The most that is charged. */
      amount: string;
      /** What is counted, in the singular, and the price of one. */
      unit: string;
      unitAmount: string;
    };

/** What is handed out, and for upto how much of it. Text is sent as it is, anything else as JSON. */
export type Served = { body: unknown; mimeType?: string; count?: number };

/** What a caller can ask for: nothing was paid when it is thrown. The message is one sentence. */
export class ResourceError extends Error {
  override name = "ResourceError";
  readonly status: 400 | 404 | 413 | 422;

  constructor(status: 400 | 404 | 413 | 422, message: string) {
    super(message);
    this.status = status;
  }
}

/** maxCount is how much of its unit the price covers; for exact it is 1. */
export type ServeContext = ResourceNetwork & { maxCount: number };

export type ResourceDefinition<Input> = {
  /** Last path segment. */
  name: string;
  title: string;
  /** One sentence. */
  description: string;
  method: "GET" | "POST";
  mimeType: string;
  price: ResourcePrice;
  /** JSON Schema of the query for GET, of the body for POST. */
  input: Record<string, unknown>;
  /** Query that can be asked for as it is, on a fresh chain too. */
  exampleQuery?: Record<string, string>;
  exampleBody?: unknown;
  /** What a request asks for. Throws ResourceError. */
  toInput(request: HttpRequest, context: ServeContext): Input;
  /** Throws ResourceError for what is not there. */
  serve(input: Input, context: ServeContext): Promise<Served>;
};

/** A resource whose input is its own matter. */
export type Resource = Omit<ResourceDefinition<never>, "toInput" | "serve"> & {
  prepare(request: HttpRequest, context: ServeContext): () => Promise<Served>;
};

/** Keeps the type of a definition's input between its two halves. */
export function defineResource<Input>({ toInput, serve, ...rest }: ResourceDefinition<Input>): Resource {
  return {
    ...rest,
    prepare(request, context) {
      const input = toInput(request, context);
      return () => serve(input, context);
    },
  };
}
