"use client";
/** Lists snapshots of the chain, each with a button that returns the chain to it. Also saves and loads state files. */
import { useQuery } from "@tanstack/react-query";
import { BlockLink } from "@/components/atoms/BlockLink";
import { ConfirmedAction } from "@/components/atoms/ConfirmedAction";
import { useSource } from "@/components/layout/NetworkContext";
import { Sheet } from "@/components/layout/Sheet";
import { LostBlocks } from "@/components/tools/LostBlocks";
import { StateTool } from "@/components/tools/StateTool";
import { ToolRow } from "@/components/tools/ToolRow";
import type { Tool } from "@/components/tools/useTool";
import { plural } from "@/lib/plural";
import { headNumberQuery } from "@/lib/query/queries";
import type { RpcResult } from "@/lib/rpc/methods";
import { formatInteger } from "@/lib/units";

type Snapshot = NonNullable<RpcResult<"explorer_getDeveloperState">>["snapshots"][number];

export function SnapshotTools({ snapshots, tool }: { snapshots: Snapshot[]; tool: Tool }) {
  const { data: head } = useQuery(headNumberQuery(useSource()));
  // Going back removes the snapshot, but its row stays to show the result.
  const called = tool.last?.method === "evm_revert" ? String(tool.last.params[0]) : undefined;
  const used = snapshots.some(({ id }) => id === called) ? undefined : called;
  return (
    <Sheet id="snapshots" title="Snapshots and saved state">
      <ToolRow
        id="snapshot"
        title="Snapshot"
        about="Saves the current state of the chain. You can go back to it later."
        tool={tool}
      >
        <button
          type="button"
          className="button self-start"
          onClick={() => tool.run("snapshot", { method: "evm_snapshot", params: [] })}
        >
          Take a snapshot
        </button>
      </ToolRow>
      {snapshots.map(({ id, block }) => (
        <ToolRow
          key={id}
          id={`snapshot ${id}`}
          title={<SnapshotTitle id={id} />}
          about={
            <>
              Block <BlockLink number={Number(block)} />
              {head !== undefined && `, ${toDistance(Number(head) - Number(block))}`}
            </>
          }
          tool={tool}
        >
          <div className="flex flex-wrap gap-2">
            <ConfirmedAction
              label="Go back"
              ariaLabel={`Go back to snapshot ${id}`}
              loss={
                <LostBlocks
                  verb="Removes"
                  kept={Number(block)}
                  extra="This snapshot, later snapshots and edits, and the pool are also lost."
                />
              }
              confirm={`Go back to block ${Number(block)}`}
              onConfirm={() => tool.run(`snapshot ${id}`, { method: "evm_revert", params: [id] })}
            />
          </div>
        </ToolRow>
      ))}
      {used !== undefined && (
        <ToolRow
          id={`snapshot ${used}`}
          title={<SnapshotTitle id={used} />}
          about="The chain went back to it, so it is used up."
          tool={tool}
        >
          {null}
        </ToolRow>
      )}
      <StateTool tool={tool} />
    </Sheet>
  );
}

function SnapshotTitle({ id }: { id: string }) {
  return (
    <>
      Snapshot <span className="mono">{id}</span>
    </>
  );
}

const toDistance = (blocks: number) =>
  blocks === 0 ? "the newest" : `${formatInteger(BigInt(blocks))} ${plural(blocks, "block")} ago`;
