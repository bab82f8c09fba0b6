/**
 * anvil as a public node: a process that can be stopped and started again with its chain, with or without mining by
 * itself. Invariant: its address stays the same, and what it had not mined is lost with the process.
 */
import { join } from "node:path";
import { type AnvilProcess, startAnvilProcess } from "@/server/testing/anvilProcess";

export type AnvilNode = Pick<AnvilProcess, "url" | "place" | "stop"> & {
  /** Throws where anvil refuses. */
  ask: AnvilProcess["tell"];
  /** Starts it again on the same port. */
  start(flags?: string[]): Promise<void>;
};

/** Starts anvil with a folder for its state. */
export async function startAnvilNode(options: {
  chainId: number;
  folder: string;
  flags?: string[];
}): Promise<AnvilNode> {
  const state = join(options.folder, "anvil.json");
  const open = (port: number, flags: string[] = []) =>
    startAnvilProcess(["--chain-id", String(options.chainId), "--port", String(port), "--state", state, ...flags]);
  let anvil = await open(0, options.flags);
  const { port, url, tell, place } = anvil;
  return {
    url,
    ask: tell,
    place,
    stop: () => anvil.stop(),
    async start(flags) {
      anvil = await open(port, flags);
    },
  };
}
