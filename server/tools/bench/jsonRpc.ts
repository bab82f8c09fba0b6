/** JSON over HTTP POST, and JSON-RPC on top of it, with as little overhead as possible for benchmarks. */

export async function post(url: string, body: unknown, headers: Record<string, string> = {}): Promise<unknown> {
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });
  return response.json();
}

export async function askRpc(url: string, method: string, params: unknown[]): Promise<unknown> {
  const { result, error } = (await post(url, { jsonrpc: "2.0", id: 1, method, params })) as {
    result?: unknown;
    error?: { message: string };
  };
  if (error) throw new Error(`${method}: ${error.message}`);
  return result;
}
