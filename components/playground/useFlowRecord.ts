/**
 * When a page's exchange ends, stores it on the node. The record's ID is put into the page's URL, so a reload shows the
 * exchange again. The URL is replaced, so the browser's history gets no new entry.
 */
"use client";

import { useQuery } from "@tanstack/react-query";
import { useSearchParams } from "next/navigation";
import { useEffect, useRef, useState } from "react";
import { useNetworkContext } from "@/components/layout/NetworkContext";
import { toJson } from "@/lib/json";
import { exchangesPath, isRecordId, type RecordedExchange } from "@/lib/payflow/exchanges";
import { findFlow, toRecordedFlow } from "@/lib/payflow/exportFlow";
import type { Flow, FlowStep } from "@/lib/payflow/flow";
import { exchangeQuery } from "@/lib/query/queries";

export type FlowRecord = {
  /** The record's ID. Undefined until the exchange is recorded. */
  id: string | undefined;
  /** The recorded exchange whose ID is in the page's URL. */
  recorded: Flow | undefined;
  /** Why the exchange could not be recorded. */
  failure: string | undefined;
};

export function useFlowRecord(): FlowRecord & {
  record(steps: readonly FlowStep[], lab?: string): Promise<void>;
  forget(): void;
} {
  const { network, source, origin } = useNetworkContext();
  const named = useSearchParams().get("flow") ?? "";
  const id = isRecordId(named) ? named : undefined;
  const { data } = useQuery({ ...exchangeQuery(source, named), enabled: id !== undefined });
  const [failure, setFailure] = useState<string | undefined>(undefined);
  const isShown = useRef(false);
  useEffect(() => {
    isShown.current = true;
    return () => {
      isShown.current = false;
    };
  }, []);

  return {
    id,
    recorded: data?.flow as Flow | undefined,
    failure,
    async record(steps, lab) {
      const flow = findFlow(steps, { network, origin, lab });
      if (!flow) return;
      const result = await post(toRecordedFlow(flow));
      if (!isShown.current) return;
      if ("id" in result) replaceParam(result.id);
      else setFailure(result.error);
    },
    forget() {
      setFailure(undefined);
      replaceParam(undefined);
    },
  };
}

async function post(flow: Flow): Promise<RecordedExchange | { error: string }> {
  try {
    const response = await fetch(exchangesPath, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: toJson(flow, 0),
    });
    return (await response.json()) as RecordedExchange | { error: string };
  } catch {
    return { error: "The node did not respond." };
  }
}

function replaceParam(id: string | undefined): void {
  const url = new URL(window.location.href);
  if (id === undefined) url.searchParams.delete("flow");
  else url.searchParams.set("flow", id);
  if (url.href !== window.location.href) window.history.replaceState(null, "", url);
}
