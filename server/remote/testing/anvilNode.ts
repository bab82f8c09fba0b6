/**
 * For tests: anvil as a remote node, in a process that can be stopped and restarted with its chain, with or without
 * automining. After a restart, its URL is the same, but pending transactions are lost.
 */
import { join } from "node:path";
import { type AnvilProcess, startAnvilProcess } from "@/server/testing/anvilProcess";

export type AnvilNode = Pick<AnvilProcess, "url" | "place" | "stop"> & {
  /** Throws if anvil returns an error. */
  ask: AnvilProcess["tell"];
  /** Restarts anvil on the same port. */
  start(flags?: string[]): Promise<void>;
};

/** Starts anvil, which keeps its state in a folder. */
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
