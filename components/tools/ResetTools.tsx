"use client";
/** Tools that remove blocks, pending transactions or state. Actions that can't be undone ask for confirmation. */
import { useQuery } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { ConfirmedAction } from "@/components/atoms/ConfirmedAction";
import { useSource } from "@/components/layout/NetworkContext";
import { Sheet } from "@/components/layout/Sheet";
import { LostBlocks } from "@/components/tools/LostBlocks";
import { ToolRow } from "@/components/tools/ToolRow";
import type { Tool, ToolCall } from "@/components/tools/useTool";
import { plural } from "@/lib/plural";
import { headNumberQuery } from "@/lib/query/queries";

export function ResetTools({ tool }: { tool: Tool }) {
  return (
    <div className="[&>.sheet]:border-neg">
      <Sheet
        id="reset"
        title="Remove and reset"
        aside={<p className="text-13 text-neg">These actions can’t be undone.</p>}
      >
        <div className="xl:grid xl:grid-cols-2 xl:[&>:nth-child(even)]:pl-[0.8125rem] xl:[&>:nth-child(odd)]:border-r xl:[&>:nth-last-child(2)]:border-b-0">
          <ToolRow
            id="drop"
            title="Clear the pool"
            about="Drops every pending and queued transaction. Blocks are kept."
            tool={tool}
          >
            <button
              type="button"
              className="button self-start text-neg!"
              onClick={() => tool.run("drop", { method: "anvil_dropAllTransactions", params: [] })}
            >
              Clear pool
            </button>
          </ToolRow>
          <DepthTool
            id="rollback"
            title="Roll back"
            about="Removes the newest blocks and empties the pool. The chain’s clock stays as it is."
            verb="Removes"
            toCall={(depth) => ({ method: "anvil_rollback", params: [depth] })}
            tool={tool}
          />
          <DepthTool
            id="reorg"
            title="Reorganize"
            about="Replaces the newest blocks with as many empty ones, to test how clients handle a reorg."
            verb="Replaces"
            toCall={(depth) => ({ method: "anvil_reorg", params: [depth, []] })}
            tool={tool}
          />
          <ToolRow
            id="reset"
            title="Reset"
            about="Resets the chain to genesis and every setting to its default."
            tool={tool}
          >
            <div className="flex flex-wrap gap-2">
              <ConfirmedAction
                label="Reset chain"
                loss={
                  <LostBlocks
                    verb="Deletes"
                    kept={0}
                    extra="All edits and snapshots are lost too. This can’t be undone."
                  />
                }
                confirm="Yes, delete every block"
                onConfirm={() => tool.run("reset", { method: "anvil_reset", params: [] })}
              />
            </div>
          </ToolRow>
        </div>
      </Sheet>
    </div>
  );
}

function DepthTool({
  id,
  title,
  about,
  verb,
  toCall,
  tool,
}: {
  id: string;
  title: string;
  about: string;
  verb: "Removes" | "Replaces";
  toCall: (depth: number) => ToolCall;
  tool: Tool;
}) {
  const { data: head } = useQuery(headNumberQuery(useSource()));
  const [text, setText] = useState("1");
  const field = useRef<HTMLInputElement>(null);
  const depth = Number(text);
  return (
    <ToolRow id={id} title={title} about={about} tool={tool}>
      <form className="filter-row border-b-0! p-0!" onSubmit={(event) => event.preventDefault()}>
        <label className="max-w-32">
          <span className="label">Number of blocks</span>
          <input
            ref={field}
            className="field"
            type="number"
            min={1}
            max={Math.max(1, Number(head ?? 1))}
            value={text}
            onChange={(event) => setText(event.target.value)}
            required
          />
        </label>
        <ConfirmedAction
          label={title}
          loss={<LostBlocks verb={verb} kept={Math.max(0, Number(head ?? 0) - depth)} extra="This can’t be undone." />}
          confirm={`${verb === "Removes" ? "Remove" : "Replace"} ${depth} ${plural(depth, "block")}`}
          isReady={() => field.current?.reportValidity() === true}
          onConfirm={() => tool.run(id, toCall(depth))}
        />
      </form>
    </ToolRow>
  );
}
