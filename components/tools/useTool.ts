"use client";
/**
 * Runs one tool call at a time, and keeps the last call with its result and duration. The page's data is refetched
 * after each call.
 */
import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useState } from "react";
import { announce } from "@/components/layout/announcer";
import { useSource } from "@/components/layout/NetworkContext";
import { developerQuery } from "@/lib/query/explorerQueries";
import type { MethodName } from "@/lib/rpc/methods";

export type ToolCall = { method: MethodName; params: readonly unknown[] };
/** `row` is the tool that shows the result. */
export type LastCall = ToolCall & { row: string; ms: number } & ({ result: unknown } | { message: string });

export function useTool() {
  const source = useSource();
  const client = useQueryClient();
  const [busy, setBusy] = useState(false);
  const [last, setLast] = useState<LastCall | undefined>(undefined);

  const run = useCallback(
    async (row: string, call: ToolCall): Promise<unknown> => {
      setBusy(true);
      const startedMs = performance.now();
      const toLast = () => ({ ...call, row, ms: Math.round(performance.now() - startedMs) });
      try {
        const result = await source.request({ method: call.method, params: call.params as never });
        setLast({ ...toLast(), result });
        announce(`${call.method}: done`);
        return result;
      } catch (error) {
        const message = error instanceof Error ? error.message : String(error);
        setLast({ ...toLast(), message });
        announce(`${call.method} failed: ${message}`);
        return undefined;
      } finally {
        setBusy(false);
        void client.invalidateQueries(developerQuery(source));
      }
    },
    [source, client],
  );
  return { busy, last, run };
}

export type Tool = ReturnType<typeof useTool>;
