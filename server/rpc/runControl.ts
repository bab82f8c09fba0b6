/** Functions that the handlers of several dev controls share. */
import type { DevControls } from "@/server/chain/devControls";

/** The result of methods that return nothing. */
export async function done(work: unknown): Promise<null> {
  await work;
  return null;
}

/** Mines blocks (one by default). `timestamp`, in seconds, is for the first of them. */
export async function mine(
  devControls: DevControls,
  { timestamp, blocks }: { timestamp?: number | null | undefined; blocks?: number | null | undefined },
): Promise<void> {
  if (timestamp !== undefined && timestamp !== null) devControls.setNextTimestamp(timestamp);
  await devControls.mine(blocks ?? 1, 1);
}
