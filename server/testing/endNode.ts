/** Closes this process's node and forgets it, so that the worker's next test file gets a new one. */
import { closeNode } from "@/server/node/instance";

export async function endNode(): Promise<void> {
  await closeNode();
  Reflect.deleteProperty(globalThis, Symbol.for("tollscan.node"));
}
