/** Puts the genesis contracts on a chain that another client runs, at the canonical addresses. */
import { canonicalContracts } from "@/lib/contracts";
import { listPredeploys } from "@/server/contracts/predeploys";
import type { AnvilProcess } from "@/server/testing/anvilProcess";

export async function placePredeploys({ place }: Pick<AnvilProcess, "place">, chainId: number): Promise<void> {
  for (const [address, account] of listPredeploys(canonicalContracts, chainId)) await place(address, account);
}
