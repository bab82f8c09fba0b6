"use client";
/**
 * What throws away: the pool, and everything. The latter is asked for twice.
 */
import { useState } from "react";
import { Sheet } from "@/components/layout/Sheet";
import type { Tool } from "@/components/tools/useTool";
import { t } from "@/lib/messages/translateTools";

export function ResetTools({ tool }: { tool: Tool }) {
  const [asking, setAsking] = useState(false);
  return (
    <Sheet id="reset" title={t("tools.pool")}>
      <div className="filter-row border-b-0!">
        <button
          type="button"
          className="button"
          onClick={() => tool.run({ method: "anvil_dropAllTransactions", params: [] })}
        >
          {t("tools.drop")}
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
              {t("tools.resetSure")}
            </button>
            <button type="button" className="button" onClick={() => setAsking(false)}>
              {t("tools.keep")}
            </button>
          </>
        ) : (
          <button type="button" className="button" onClick={() => setAsking(true)}>
            {t("tools.reset")}
          </button>
        )}
        <p className="basis-full text-13 text-ink-2">{t("tools.resetHint")}</p>
      </div>
    </Sheet>
  );
}
