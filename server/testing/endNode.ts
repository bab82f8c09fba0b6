/** Closes the one node of this process and forgets it, so that the next test file of the worker gets one of its own. */
import { closeNode } from "@/server/node/instance";

export async function endNode(): Promise<void> {
  await closeNode();
  Reflect.deleteProperty(globalThis, Symbol.for("tollscan.node"));
}
