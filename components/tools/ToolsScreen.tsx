"use client";
/** The developer tools of a chain: every button is one JSON-RPC method, and the last call is shown as it was sent. */
import { AppLink } from "@/components/layout/AppLink";
import { Empty } from "@/components/layout/Empty";
import { useNetwork, useSource } from "@/components/layout/NetworkContext";
import { Sheet } from "@/components/layout/Sheet";
import { DataLinks } from "@/components/lists/DataLinks";
import { QueryContent } from "@/components/lists/QueryContent";
import { AccountTools } from "@/components/tools/AccountTools";
import { BlockTools } from "@/components/tools/BlockTools";
import { ResetTools } from "@/components/tools/ResetTools";
import { SnapshotTools } from "@/components/tools/SnapshotTools";
import { ToolTabs } from "@/components/tools/ToolTabs";
import { type LastCall, type Tool, useTool } from "@/components/tools/useTool";
import { toConsolePath } from "@/lib/links";
import { developerQuery } from "@/lib/query/explorerQueries";
import type { RpcResult } from "@/lib/rpc/methods";

export function ToolsScreen() {
  // Held outside the query data, so that the last call stays visible after a chain reset.
  const tool = useTool();
  return (
    <>
      <div className="page-title">
        <h1>Developer tools</h1>
        <DataLinks method="explorer_getDeveloperState" params={[]} />
      </div>
      <ToolTabs />
      <QueryContent framed query={developerQuery(useSource())} rows={8}>
        {(state) => (state ? <Tools state={state} tool={tool} /> : <NoTools />)}
      </QueryContent>
    </>
  );
}

type ToolsProps = { state: NonNullable<RpcResult<"explorer_getDeveloperState">>; tool: Tool };

function Tools({ state, tool }: ToolsProps) {
  return (
    <>
      <p className="max-w-[65ch] text-ink-2">
        Each button sends one JSON-RPC call (anvil_*, evm_* or hardhat_*). You can send the same calls yourself. Anyone
        with access to this node can change the chain.
      </p>
      <BlockTools state={state} tool={tool} />
      <SnapshotTools snapshots={state.snapshots} tool={tool} />
      <AccountTools impersonated={state.impersonated} tool={tool} />
      <ResetTools tool={tool} />
      <LastCallLine last={tool.last} />
    </>
  );
}

function NoTools() {
  return (
    <Sheet>
      <Empty level="h2" title="Developer tools are unavailable on this network">
        They need an embedded chain in a single process and TOLLSCAN_DEVELOPER=on. Choose another network, or run your
        own node.
      </Empty>
    </Sheet>
  );
}

/** Stays at the bottom of the window, so that the result of every button is in view. */
function LastCallLine({ last }: { last: LastCall | undefined }) {
  const network = useNetwork();
  if (last === undefined) return null;
  const isFailed = "message" in last;
  return (
    <section aria-label="Last call" className="sheet sticky bottom-3 z-10 shadow-float">
      <p className="flex min-h-11 flex-wrap items-center gap-x-2 px-4 py-2 text-13" data-testid="last-call">
        <code className="mono break-all">{`${last.method}(${last.params.map((param) => JSON.stringify(param)).join(", ")})`}</code>
        <span className={isFailed ? "text-neg" : "text-ink-2"}>
          {isFailed ? `failed: ${last.message}` : `returned ${JSON.stringify(last.result)} in ${last.ms} ms`}
        </span>
        <AppLink href={toConsolePath(network.name, last.method, last.params)} className="app-link ml-auto">
          Open in the console
        </AppLink>
      </p>
    </section>
  );
}
