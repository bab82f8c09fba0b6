/**
 * Describes the node for programs, in the Markdown format from llmstxt.org: a title, a summary and sections with links.
 * The text is generated from the method declarations, the catalog and the networks.
 */

import { toConsolePath, toSectionPath } from "@/lib/links";
import { type PageNetwork, toRpcPath } from "@/lib/networks";
import { methodList } from "@/lib/rpc/methods";
import { type MethodEffect, toNamespace } from "@/lib/rpc/schema/define";
import { type CatalogEntry, catalogPath } from "@/lib/x402/catalog";

const effectWords: Partial<Record<MethodEffect, string>> = {
  sends: " Sends a transaction.",
  signs: " Sends a transaction that the node signs or pays for.",
  controls: " Changes the chain.",
};

export type ListedNetwork = { network: PageNetwork; resources: readonly CatalogEntry[] };

/** `origin` is the origin at which the caller reached the node. The first network is the default. */
export function toLlmsText(origin: string, networks: readonly ListedNetwork[]): string {
  const first = networks[0]?.network.name ?? "";
  return `${[
    "# Tollscan",
    "> A block explorer, an EVM node with JSON-RPC, and an x402 version 2 facilitator with paid resources, in one server. Everything on the pages is also available over JSON-RPC, and paid resources use HTTP 402.",
    "## Documentation",
    list([
      ...networks.map(({ network }) => [
        `OpenRPC of ${network.label}`,
        `${origin}${toRpcPath(network)}`,
        "every JSON-RPC method with schemas, errors, limits and examples; also returned by rpc.discover",
      ]),
      ["Payment API (OpenAPI)", `${origin}/api/openapi.json`, "the facilitator and the paid resources"],
      ["Catalog", `${origin}${catalogPath}`, "the paid resources, with ready-to-pay prices"],
      [
        "Console",
        `${origin}${toSectionPath(first, "console")}`,
        "the same documentation for people, with a form to send requests",
      ],
    ]),
    "## Networks",
    networks.map(({ network }) => toNetworkText(origin, network)).join("\n"),
    "## JSON-RPC",
    [
      "POST JSON-RPC 2.0, one request or a batch, with content-type application/json. Quantities are hex without leading zeros. Block params accept latest, safe, finalized, earliest, pending, a hex number, a block hash or an EIP-1898 object. If a limit is exceeded, the error's data names it.",
      "Lists are paginated: to get the next page, pass the result's `next` as `before`, or as `after` if the method's summary says so. Every list can be downloaded: /api/export/<method>.csv or .json?network=<name>&params=<JSON array>.",
    ].join("\n\n"),
    "## Payments",
    [
      "Request a paid URL. It responds with 402 and a PAYMENT-REQUIRED header: base64-encoded JSON whose accepts array lists the accepted payments. Sign one entry (EIP-3009 for exact, Permit2 otherwise) and repeat the request with a PAYMENT-SIGNATURE header that has the payment as base64-encoded JSON. The response's PAYMENT-RESPONSE header reports the settlement. If the handler fails, you are not charged.",
      `The facilitator verifies and settles for other servers too: ${origin}/api/facilitator.`,
    ].join("\n\n"),
    "## Paid resources",
    list(
      networks.flatMap(({ network, resources }) =>
        resources.map(({ title, resource, description, method, price }) => [
          `${title} on ${network.label}`,
          `${origin}${resource}`,
          `${method}, ${price.scheme === "upto" ? "up to " : ""}${price.amount} in ${price.symbol}. ${description}`,
        ]),
      ),
    ) || "No paid resources: no network on this node has a payment token.",
    "## Methods",
    toMethodsText(origin, first),
  ].join("\n\n")}\n`;
}

function list(entries: readonly (readonly string[])[]): string {
  return entries.map(([title, url, note]) => `- [${title}](${url}): ${note}`).join("\n");
}

function toNetworkText(origin: string, network: PageNetwork): string {
  const { name, label, chainId, nativeCurrency, tokens } = network;
  const held = tokens.map(({ symbol, address }) => `${symbol} ${address}`).join(", ");
  return [
    `- ${label} (${name}): chain ID ${chainId}, native token ${nativeCurrency.symbol}${held && `, tokens ${held}`}`,
    `  - JSON-RPC over HTTP and WebSocket: ${origin}${toRpcPath({ name })}`,
    `  - Server-sent events for new blocks, pool changes and payments: ${origin}/api/stream/${name}`,
    `  - ${toMoneyText(network)}`,
    ...(network.embedded
      ? [`  - Funded accounts with their private keys: ${origin}${toSectionPath(name, "accounts")}`]
      : []),
  ].join("\n");
}

/** Whether money on the network is real. An imported chain is only a local copy, even if it has a public chain's ID. */
function toMoneyText({ embedded, isLocal, publicChain }: PageNetwork): string {
  if (embedded) return "A local simulation, no real money: explorer_fund gives test money to any address.";
  if (!isLocal) return "A public chain: payments use real money.";
  return `A local copy of ${publicChain?.name ?? "another chain"}, no real money: transactions never reach the public network.`;
}

function toMethodsText(origin: string, network: string): string {
  const namespaces = [...new Set(methodList.map(({ name }) => toNamespace(name)))];
  return namespaces
    .map((namespace) => {
      const lines = methodList
        .filter(({ name }) => toNamespace(name) === namespace)
        .map(({ name, paramNames, summary, examples, effect }) => {
          const words = effectWords[effect] ?? "";
          const url = `${origin}${toConsolePath(network, name, examples[0].params)}`;
          return `- [${name}](${url})(${paramNames.join(", ")}): ${summary}${words}`;
        });
      return `### ${namespace}\n\n${lines.join("\n")}`;
    })
    .join("\n\n");
}
