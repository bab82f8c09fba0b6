/** Funds an account from the network's faucet. */
"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useSource } from "@/components/layout/NetworkContext";
import { refreshFollowing } from "@/lib/query/client";
import { fundAndWait } from "./fundAndWait";

export function useFaucet() {
  const source = useSource();
  const queries = useQueryClient();
  return useMutation({
    mutationKey: ["faucet", source.network],
    mutationFn: (address: string) => fundAndWait(source, address),
    // Live updates may be paused or offline, but the new balance must be shown at once.
    onSuccess: () => refreshFollowing(queries, source.network, ["head"]),
  });
}
