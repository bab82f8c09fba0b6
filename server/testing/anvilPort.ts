/**
 * For tests that run anvil as a peer: the port it chose. Rejects with what it printed where it ends before it listens.
 */
import type { ChildProcess } from "node:child_process";

export function readAnvilPort(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    let output = "";
    const read = (chunk: Buffer): void => {
      output += chunk.toString();
      const port = /Listening on [^\s:]+:(\d+)/.exec(output)?.[1];
      if (port) resolve(Number(port));
    };
    child.stdout?.on("data", read);
    child.stderr?.on("data", read);
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`anvil ended with code ${code}:\n${output}`)));
  });
}
