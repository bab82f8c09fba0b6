"use client";
/**
 * The developer tools for a chain. The most frequently used ones come first, and those that delete something last.
 * Every button sends one JSON-RPC call, and its row shows the result.
 */
import { Empty } from "@/components/layout/Empty";
import { useSource } from "@/components/layout/NetworkContext";
import { Sheet } from "@/components/layout/Sheet";
import { DataLinks } from "@/components/lists/DataLinks";
import { QueryContent } from "@/components/lists/QueryContent";
import { AccountTools } from "@/components/tools/AccountTools";
import { BlockTools } from "@/components/tools/BlockTools";
import { ResetTools } from "@/components/tools/ResetTools";
import { SnapshotTools } from "@/components/tools/SnapshotTools";
import { ToolTabs } from "@/components/tools/ToolTabs";
import { type Tool, useTool } from "@/components/tools/useTool";
import { developerQuery } from "@/lib/query/explorerQueries";
import type { RpcResult } from "@/lib/rpc/methods";

export function ToolsScreen() {
  // The tool's state is kept outside QueryContent, so that the last call stays visible after a chain reset.
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
      <p className="text-ink-2">
        Each button sends one JSON-RPC call and shows it with its result. Your programs on this machine can send the
        same calls.
      </p>
      {/* The shorter column's last sheet has empty space at its end, so that both columns end at the same height. */}
      <div className="grid grid-cols-[minmax(0,1fr)] gap-6 xl:grid-cols-2">
        <div className="flex min-w-0 flex-col gap-6 [&>:last-child]:flex-1">
          <BlockTools state={state} tool={tool} />
          <SnapshotTools snapshots={state.snapshots} tool={tool} />
        </div>
        <AccountTools impersonated={state.impersonated} tool={tool} />
      </div>
      <ResetTools tool={tool} />
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
