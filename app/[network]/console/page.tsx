/**
 * The console: every JSON-RPC method with its form, documentation and live examples. The list, the documentation and
 * the curl command work without JavaScript, but sending a request requires it.
 */
import type { Metadata } from "next";
import { getSource, listNetworks, type PageProps, toSingle } from "@/app/[network]/loadPage";
import { BatchPanel } from "@/components/console/BatchPanel";
import { HistoryPanel } from "@/components/console/HistoryPanel";
import { MethodDocs } from "@/components/console/MethodDocs";
import { MethodHead } from "@/components/console/MethodHead";
import { MethodNav } from "@/components/console/MethodNav";
import { RequestEditor } from "@/components/console/RequestEditor";
import { Empty } from "@/components/layout/Empty";
import { Sheet } from "@/components/layout/Sheet";
import { toCurlyText } from "@/lib/curlyText";
import { toPrettyJson } from "@/lib/json";
import { toRpcPath } from "@/lib/networks";
import { findMethod, methodList } from "@/lib/rpc/methods";
import { toNamespace } from "@/lib/rpc/schema/define";
import { type OpenRpcDocument, toMethodDescription, toMethodEntry } from "@/lib/rpc/schema/description";
import { listLiveExamples } from "@/lib/rpc/schema/liveExamples";
import { getNode } from "@/server/node/instance";
import "@/components/console/console.css";

const firstMethod = "eth_getBlockByNumber";

export async function generateMetadata({ searchParams }: PageProps): Promise<Metadata> {
  const method = toSingle((await searchParams).method);
  return { title: method && findMethod(method) ? method : "Console" };
}

export default async function ConsolePage({ params, searchParams }: PageProps) {
  const source = await getSource((await params).network);
  const query = await searchParams;
  const node = await getNode();
  const networks = listNetworks(node);
  const network = networks.find(({ name }) => name === source.network) ?? networks[0];
  const document = await source.request({ method: "rpc.discover" });
  const name = toSingle(query.method) ?? firstMethod;
  const described = document.methods.find((method) => method.name === name);
  const declared = findMethod(name);
  const given = toSingle(query.params);
  const examples = described ? await listLiveExamples(name, network, source.request) : [];
  const method = described && toMethodDescription(described);
  return (
    <>
      <div className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1">
        <h1>Console</h1>
        <p className="flex flex-wrap gap-x-4 text-13 text-accent">
          <a href={toRpcPath(network)} className="app-link">
            OpenRPC
          </a>
          <a href="/api/openapi.json" className="app-link">
            Payment API (OpenAPI)
          </a>
          <a href="/llms.txt" className="app-link">
            llms.txt
          </a>
        </p>
      </div>
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-x-6 gap-y-4 min-[60rem]:grid-cols-[19.5rem_minmax(0,1fr)]">
        <MethodNav methods={listMethods(document)} current={name} />
        <div className="flex min-w-0 flex-col gap-4">
          {method ? (
            <>
              <MethodHead method={method} />
              <RequestEditor
                // Remounts the editor if the method or the request changes.
                key={`${name} ${given ?? ""}`}
                method={method}
                examples={examples}
                initial={given === undefined ? undefined : toPrettyJson(given)}
                networks={networks}
              />
              <MethodDocs method={method} />
            </>
          ) : (
            <Sheet>
              <Empty
                level="h2"
                title={
                  declared
                    ? `${network.label} does not serve ${name.slice(0, 100)}`
                    : `${network.label} has no method named ${name.slice(0, 100)}`
                }
              >
                {declared
                  ? "This network uses a remote node or has the method turned off. Another network on this node may serve it."
                  : "Choose a method from the list."}
              </Empty>
            </Sheet>
          )}
          <BatchPanel />
          <HistoryPanel networks={networks.map(({ name, label }) => ({ name, label }))} />
        </div>
      </div>
    </>
  );
}

/** Lists every declared method and marks those that this network doesn't serve. */
function listMethods(document: OpenRpcDocument) {
  const served = new Map(document.methods.map((method) => [method.name, toMethodEntry(method)]));
  const listed = methodList.map(({ name, summary, effect }) => ({
    ...(served.get(name) ?? { name, summary: toCurlyText(summary), namespace: toNamespace(name), effect }),
    served: served.has(name),
  }));
  const namespaces = [...new Set(listed.map(({ namespace }) => namespace))];
  return namespaces.flatMap((namespace) =>
    listed
      .filter((method) => method.namespace === namespace)
      .sort((first, second) => (first.name < second.name ? -1 : 1)),
  );
}
