"use client";
import { Snippet } from "@/components/atoms/Snippet";
import { Empty } from "@/components/layout/Empty";
/** Shown if a list of transactions is empty. It has commands for sending the first one. */
import { useNetworkContext } from "@/components/layout/NetworkContext";
import { toRpcPath } from "@/lib/networks";
import { testMnemonic } from "@/lib/testMnemonic";

export function NoTransactions({ to }: { to?: string }) {
  const { network, origin } = useNetworkContext();
  const recipient = to ?? "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
  const command = `cast send ${recipient} --value 1ether \\\n  --rpc-url ${origin}${toRpcPath(network)} \\\n  --mnemonic "${testMnemonic}"`;
  return (
    <Empty title={to === undefined ? "No transactions yet" : "No transactions for this address"}>
      {network.embedded && (
        <>
          <p>Send one from a funded account and it appears here as soon as it is mined:</p>
          <div className="w-full border border-line">
            <Snippet what="command" code={command} />
          </div>
        </>
      )}
    </Empty>
  );
}
