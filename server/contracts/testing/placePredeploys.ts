/** Places the genesis contracts at the canonical addresses of a peer. */
import { canonicalContracts } from "@/lib/contracts";
import { listPredeploys } from "@/server/contracts/predeploys";
import type { AnvilProcess } from "@/server/testing/anvilProcess";

export async function placePredeploys({ place }: Pick<AnvilProcess, "place">, chainId: number): Promise<void> {
  for (const [address, account] of listPredeploys(canonicalContracts, chainId)) await place(address, account);
}
