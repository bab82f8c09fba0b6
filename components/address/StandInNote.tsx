"use client";
import { useNetwork } from "@/components/layout/NetworkContext";
import { findContractName } from "@/lib/networks";

/**
 * Says that a contract of the chain's genesis isn't the real one. On a remote network, a contract with the same address
 * is another one.
 */
export function StandInNote({ address }: { address: string }) {
  const network = useNetwork();
  const name = network.embedded ? findContractName(network, address) : undefined;
  if (name === undefined) return null;
  return (
    <p className="text-13 text-ink-2">
      This is Tollscan’s stand-in for the real {name}: same interface and behavior, different bytecode.
    </p>
  );
}
