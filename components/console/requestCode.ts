/** Generates code that sends a request with curl, viem or cast. */
import { type RpcCall, toBody } from "@/components/console/callRequest";

export const codeKinds = ["curl", "viem", "cast"] as const;
export type CodeKind = (typeof codeKinds)[number];

/** Quotes any text so that a POSIX shell reads it as one argument. */
function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/**
 * `url` is the endpoint's URL. Several calls form a batch. cast can't send batches, so its code sends the calls one by
 * one.
 */
export function toRequestCode(kind: CodeKind, url: string, calls: readonly RpcCall[]): string {
  switch (kind) {
    case "curl":
      return `curl -s ${url} \\\n  -H 'content-type: application/json' \\\n  -d ${quote(toBody(calls))}`;
    case "viem": {
      const client = `import { createPublicClient, http } from "viem";\n\nconst client = createPublicClient({ transport: http("${url}"${calls.length > 1 ? ", { batch: true }" : ""}) });\n`;
      const lines = calls.map(({ method, params }) => `client.request(${toJs({ method, params })})`);
      const body = lines.length === 1 ? lines[0] : `Promise.all([\n${lines.map((line) => `  ${line},`).join("\n")}\n])`;
      return `${client}console.log(await ${body});`;
    }
    case "cast":
      return calls
        .map(({ method, params }) => `cast rpc --rpc-url ${url} --raw ${method} ${quote(JSON.stringify(params))}`)
        .join("\n");
  }
}

function toJs({ method, params }: RpcCall): string {
  return `{ method: ${JSON.stringify(method)}, params: ${JSON.stringify(params)} }`;
}
