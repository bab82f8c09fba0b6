/** Lists every page that doesn't depend on the chain's contents, for search and the command palette. */

import type { Network } from "@/lib/networks";

/** `words` are synonyms for search. */
export type Page = { path: string; label: string; words?: string };

type Row = Omit<Page, "path"> & { under: string; needsEmbedded?: true };

/** The topics of the docs, in order. Their IDs are anchors. */
export const docsTopics = [
  { id: "call", title: "Call the node" },
  { id: "pay", title: "Pay for a request" },
  { id: "sell", title: "Charge for your own API" },
  { id: "test", title: "Test before you ship" },
  { id: "run", title: "Run it on your machine" },
  { id: "deploy", title: "Deploy to Vercel" },
  { id: "reference", title: "Reference" },
] as const;

const rows: readonly Row[] = [
  { under: "", label: "Home" },
  { under: "#connect", label: "Connect to this network", words: "add wallet rpc url explorer url chain id currency" },
  { under: "/blocks", label: "Blocks" },
  { under: "/txs", label: "Transactions" },
  { under: "/tokens", label: "Tokens", words: "erc-20 holders" },
  { under: "/txpool", label: "Pool", words: "mempool pending queued" },
  { under: "/payments", label: "Payments", words: "ledger x402" },
  { under: "/payments/resources", label: "Payments by resource", words: "totals" },
  { under: "/payments/payees", label: "Payments by payee", words: "totals sellers" },
  { under: "/payments/facilitator", label: "Facilitator", words: "verify settle relayer" },
  { under: "/playground", label: "Payment playground", words: "x402 demo" },
  { under: "/playground/failures", label: "Failure lab", words: "playground errors invalid" },
  { under: "/playground/url", label: "Pay any URL", words: "playground own server" },
  { under: "/resources", label: "Paid resources", words: "catalog prices api" },
  { under: "/console", label: "Console", words: "json-rpc methods curl" },
  { under: "/charts", label: "Charts", words: "gas fees statistics" },
  { under: "/node", label: "Node", words: "health status latency uptime" },
  {
    under: "/tools/encode",
    label: "Encode and decode",
    words: "abi rlp keccak hash selector units wei typed data eip-712 create2 checksum",
  },
  { under: "/tools", label: "Developer tools", words: "mine time snapshot impersonate reset", needsEmbedded: true },
  { under: "/accounts", label: "Test accounts", words: "faucet funded keys mnemonic fund", needsEmbedded: true },
  { under: "/docs", label: "Docs", words: "help documentation guide start" },
  ...docsTopics.map(({ id, title }) => ({ under: `/docs#${id}`, label: `Docs: ${title}` })),
];

export function listPages({ name, embedded }: Pick<Network, "name" | "embedded">): Page[] {
  return rows
    .filter(({ needsEmbedded }) => embedded || !needsEmbedded)
    .map(({ under, label, words }) => ({ path: `/${name}${under}`, label, ...(words && { words }) }));
}
