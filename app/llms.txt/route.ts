/**
 * GET /llms.txt: tells programs where this node is documented, how to call it and how to pay. Generated from the
 * declarations and the configuration on each request.
 */
import { listNetworks } from "@/app/[network]/loadPage";
import { toLlmsText } from "@/lib/llmsText";
import { toOrigin } from "@/server/http/requestTarget";
import { getNode } from "@/server/node/instance";

export const dynamic = "force-dynamic";

export async function GET(request: Request): Promise<Response> {
  const node = await getNode();
  const url = new URL(request.url);
  const headers: Record<string, string | undefined> = Object.fromEntries(request.headers);
  const networks = listNetworks(node).map((network) => ({ network, resources: node.listResources(network.name) }));
  const text = toLlmsText(toOrigin(headers, url.host, url.protocol === "https:"), networks);
  return new Response(text, {
    headers: {
      "content-type": "text/markdown; charset=utf-8",
      "cache-control": "no-store",
      "access-control-allow-origin": "*",
    },
  });
}
