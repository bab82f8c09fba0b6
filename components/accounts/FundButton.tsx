"use client";
/** A button that sends an embedded network's test money to an address, and says what it sent. */
import { useNetwork } from "@/components/layout/NetworkContext";
import { listFaucetAmounts, toFaucetMessage, useFaucet } from "@/components/wallet/useFaucet";

export function FundButton({ address }: { address: string }) {
  const network = useNetwork();
  const { mutate, isPending, isSuccess, error } = useFaucet();
  return (
    <>
      <button type="button" className="button" aria-disabled={isPending} onClick={() => isPending || mutate(address)}>
        {isPending ? "Sending…" : "Get test money"}
      </button>
      <p role="status" className={`basis-full text-13 empty:hidden ${error ? "text-neg" : "text-ink-2"}`}>
        {error ? toFaucetMessage(error) : isSuccess && `Sent ${listFaucetAmounts(network)}.`}
      </p>
    </>
  );
}
