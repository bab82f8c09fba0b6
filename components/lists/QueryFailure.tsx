"use client";
import { Empty } from "@/components/layout/Empty";
/** A failed request: the request, the node's response, and a retry button. */
import { useNetwork } from "@/components/layout/NetworkContext";
import { toRpcPath } from "@/lib/networks";
import { RpcError } from "@/lib/rpc/client";
import type { MethodName } from "@/lib/rpc/methods";

export function QueryFailure({ error, method, onRetry }: { error: Error; method: MethodName; onRetry: () => void }) {
  const network = useNetwork();
  return (
    <Empty icon="alert" title={error instanceof RpcError ? "The node returned an error" : "Can’t reach the node"}>
      <p>{error.message}</p>
      <p className="mono">
        {method} · POST {toRpcPath(network)}
        {error instanceof RpcError && ` · code ${error.code}`}
      </p>
      <button type="button" className="button" onClick={onRetry}>
        Try again
      </button>
    </Empty>
  );
}
