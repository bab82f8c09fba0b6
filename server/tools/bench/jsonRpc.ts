/** Sends JSON over HTTP POST, and JSON-RPC on top of it, with as little overhead as possible, for benchmarks. */

export async function post(url: string, body: unknown, headers: Record<string, string> = {}): Promise<unknown> {
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });
  return response.json();
}

/** Sends the requests as one batch and returns the results in order. Throws at the first error. */
export async function askRpcTogether(
  url: string,
  requests: readonly (readonly [method: string, params: readonly unknown[]])[],
): Promise<unknown[]> {
  const answers = await post(
    url,
    requests.map(([method, params], id) => ({ jsonrpc: "2.0", id, method, params })),
  );
  return (answers as { result?: unknown; error?: { message: string } }[]).map(({ result, error }) => {
    if (error) throw new Error(error.message);
    return result;
  });
}

export async function askRpc(url: string, method: string, params: unknown[]): Promise<unknown> {
  const { result, error } = (await post(url, { jsonrpc: "2.0", id: 1, method, params })) as {
    result?: unknown;
    error?: { message: string };
  };
  if (error) throw new Error(`${method}: ${error.message}`);
  return result;
}
