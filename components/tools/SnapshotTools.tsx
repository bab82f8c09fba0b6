"use client";
/** Snapshots of the chain, each with a button to return to it. */
import { BlockLink } from "@/components/atoms/BlockLink";
import { Sheet } from "@/components/layout/Sheet";
import { type Column, DataTable } from "@/components/lists/DataTable";
import type { Tool } from "@/components/tools/useTool";
import type { RpcResult } from "@/lib/rpc/methods";

type Snapshot = NonNullable<RpcResult<"explorer_getDeveloperState">>["snapshots"][number];

export function SnapshotTools({ snapshots, tool }: { snapshots: Snapshot[]; tool: Tool }) {
  const columns: Column<Snapshot>[] = [
    {
      id: "id",
      head: "Snapshot",
      narrow: "lead",
      cell: ({ id }) => <span className="mono">{id}</span>,
    },
    {
      id: "block",
      head: "Block",
      align: "right",
      width: "md:w-40",
      narrow: "below",
      cell: ({ block }) => <BlockLink number={Number(block)} />,
    },
    {
      id: "back",
      head: <span className="sr-only">Go back</span>,
      align: "right",
      width: "md:w-40",
      narrow: "trail",
      cell: ({ id }) => (
        <button
          type="button"
          className="button"
          aria-label={`Go back to snapshot ${id}`}
          onClick={() => tool.run({ method: "evm_revert", params: [id] })}
        >
          Go back
        </button>
      ),
    },
  ];
  return (
    <Sheet
      id="snapshots"
      title="Snapshots"
      aside={
        <button type="button" className="button" onClick={() => tool.run({ method: "evm_snapshot", params: [] })}>
          Take a snapshot
        </button>
      }
    >
      {snapshots.length === 0 ? (
        <p className="px-4 py-3 text-13 text-ink-2">Save the current state and roll back to it later.</p>
      ) : (
        <DataTable caption="Snapshots" columns={columns} rows={snapshots} getKey={({ id }) => id} />
      )}
    </Sheet>
  );
}
