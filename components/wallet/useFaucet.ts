/** Funds an account from the network's faucet. */
"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useSource } from "@/components/layout/NetworkContext";
import { faucetAmounts, type Network } from "@/lib/networks";
import { refreshFollowing } from "@/lib/query/client";
import { FundingError, fundAndWait } from "./fundAndWait";
import { findNodeMessage } from "./nodeMessage";

/** What the faucet sends at once: "10 MON, 100 USDC, and 100 PUSD". */
export function listFaucetAmounts({ nativeCurrency, tokens }: Pick<Network, "nativeCurrency" | "tokens">): string {
  const amounts = [
    `${faucetAmounts.native} ${nativeCurrency.symbol}`,
    ...tokens.map(({ symbol }) => `${faucetAmounts.token} ${symbol}`),
  ];
  return new Intl.ListFormat("en-US", { style: "long" }).format(amounts);
}

/** Explains an error of the mutation. */
export function toFaucetMessage(error: Error): string {
  return error instanceof FundingError ? error.message : (findNodeMessage(error) ?? error.message);
}

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
