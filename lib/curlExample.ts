/** An example of a first request to the node, for the home page and the docs. */
export function toCurlExample(url: string): string {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "eth_blockNumber" });
  return `curl ${url} \\\n  -H 'content-type: application/json' \\\n  -d '${body}'`;
}
