"use client";
import { AppLink } from "@/components/layout/AppLink";
import { useNetwork } from "@/components/layout/NetworkContext";
import { toBlockPath } from "@/lib/links";

export function BlockLink({ number }: { number: number }) {
  const network = useNetwork();
  return <AppLink href={toBlockPath(network.name, number)}>{number}</AppLink>;
}
