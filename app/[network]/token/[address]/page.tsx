/**
 * EIP-3091 has a path for tokens; here a token is a contract like any other.
 */
import { redirect } from "next/navigation";
import { toAddressPath } from "@/lib/links";

export default async function TokenPage({ params }: { params: Promise<{ network: string; address: string }> }) {
  const { network, address } = await params;
  redirect(toAddressPath(network, address));
}
