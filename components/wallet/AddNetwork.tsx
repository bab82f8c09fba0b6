/**
 * Asks the connected wallet to add this network, or shows the values to enter by hand. A wallet that already knows the
 * chain ID gets the node's RPC URL. The children explain when to add it.
 */
"use client";

import { useMutation } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { useConnection } from "wagmi";
import { Copy } from "@/components/atoms/Copy";
import { Url } from "@/components/atoms/Url";
import { useNetworkContext } from "@/components/layout/NetworkContext";
import { toAddChainParameter } from "./addChainParameter";
import { quietClass } from "./BurnerKey";
import type { Wallet } from "./guardWallet";
import { listNetworkValues } from "./networkValues";
import { toFailureMessage } from "./walletError";

export function AddNetwork({ children }: { children?: ReactNode }) {
  const { connector } = useConnection();
  const { network, origin } = useNetworkContext();
  const [isByHand, setIsByHand] = useState(false);
  const add = useMutation({
    mutationFn: async () => {
      const wallet = (await connector?.getProvider()) as Wallet | undefined;
      await wallet?.request({ method: "wallet_addEthereumChain", params: [toAddChainParameter(network, origin)] });
    },
  });
  return (
    <div className="flex w-full flex-col gap-3">
      {!add.isSuccess && children}
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        {/* It stays after it was used, so that it keeps the focus. */}
        <button
          type="button"
          className="button"
          aria-disabled={add.isPending || add.isSuccess}
          onClick={() => !add.isSuccess && add.mutate()}
        >
          {add.isSuccess ? "Added" : "Add this network to the wallet"}
        </button>
        {!add.isSuccess && (
          <button type="button" className={quietClass} aria-expanded={isByHand} onClick={() => setIsByHand(!isByHand)}>
            {isByHand ? "Hide the values" : "Add it by hand"}
          </button>
        )}
        <p role="status" className="text-13 text-ink-2 empty:hidden">
          {add.error ? toFailureMessage(add.error) : add.isSuccess ? "Network added to your wallet" : ""}
        </p>
      </div>
      {isByHand && !add.isSuccess && (
        <dl className="flex flex-col gap-y-1 text-13">
          {listNetworkValues(network, origin).map(({ label, value }) => (
            <div key={label} className="grid grid-cols-[5.75rem_minmax(0,1fr)_auto] items-center gap-x-2">
              <dt className="text-ink-2">{label}</dt>
              <dd className="col-[2/-1] grid grid-cols-subgrid items-center">
                <Url url={value} />
                <Copy value={value} what={label} quiet={false} />
              </dd>
            </div>
          ))}
        </dl>
      )}
    </div>
  );
}
