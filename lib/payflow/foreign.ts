/**
 * The question that a page asks the server about another server's URL, and its answer. Types and the path alone.
 */

export const foreignPath = "/api/playground/fetch";

export type ForeignQuestion = {
  url: string;
  method: string;
  headers: Record<string, string>;
  body?: string;
};

export type ForeignAnswer = {
  /** Where the answer came from, after redirects on the same host. */
  url: string;
  status: number;
  headers: Record<string, string>;
  /** As text: what is no UTF-8 is shown with replacement characters. */
  body: string;
};
