/**
 * What a node sells, as GET /.well-known/x402 says it and as a page lists it. Types alone; every entry can be asked for
 * as it stands.
 */
import type { PaymentRequirements } from "@/lib/x402/types";

export type CataloguePrice = {
  scheme: "exact" | "upto";
  /** In dollars; the most that is charged where the scheme is upto: "$0.05". */
  amount: string;
  symbol: string;
  /** What is counted, and the price of one. */
  per?: { unit: string; amount: string };
};

export type CatalogueEntry = {
  /** Absolute URL, with the network and with what the example asks for. */
  resource: string;
  type: "http";
  x402Version: 2;
  method: "GET" | "POST";
  /** Last path segment: "block-digest". */
  name: string;
  title: string;
  description: string;
  mimeType: string;
  /** Name of the network: "testnet". */
  network: string;
  price: CataloguePrice;
  accepts: PaymentRequirements[];
  /** JSON Schema of the query for GET, of the body for POST. */
  input: Record<string, unknown>;
  /** A body that can be sent as it is. */
  exampleBody?: unknown;
};

export type Catalogue = { x402Version: 2; service: string; facilitator: string; items: CatalogueEntry[] };

/** Where the catalogue stands below an origin. */
export const cataloguePath = "/.well-known/x402";
