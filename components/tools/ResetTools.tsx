"use client";
/** Drops the pool's transactions, or resets everything after a confirmation. */
import { useState } from "react";
import { Sheet } from "@/components/layout/Sheet";
import type { Tool } from "@/components/tools/useTool";

export function ResetTools({ tool }: { tool: Tool }) {
  const [asking, setAsking] = useState(false);
  return (
    <Sheet id="reset" title="Pool and genesis">
      <div className="filter-row border-b-0!">
        <button
          type="button"
          className="button"
          onClick={() => tool.run({ method: "anvil_dropAllTransactions", params: [] })}
        >
          Clear pool
        </button>
        {asking ? (
          <>
            <button
              type="button"
              className="button border-neg! text-neg!"
              onClick={() => {
                setAsking(false);
                void tool.run({ method: "anvil_reset", params: [] });
              }}
            >
              Yes, delete every block
            </button>
            <button type="button" className="button" onClick={() => setAsking(false)}>
              Keep it
            </button>
          </>
        ) : (
          <button type="button" className="button" onClick={() => setAsking(true)}>
            Reset chain
          </button>
        )}
        <p className="basis-full text-13 text-ink-2">Deletes all blocks, payments and edits. This can’t be undone.</p>
      </div>
    </Sheet>
  );
}
