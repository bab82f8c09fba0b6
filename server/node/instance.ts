/**
 * Creates and holds the one node of this process. It is stored on globalThis, because the server, the bundled pages and
 * the bundled routes are separate module graphs.
 */
import { type Config, isTemporaryEnvironment, loadConfig } from "@/server/config/config";
import { createNode, type Node } from "@/server/node/node";

const key = Symbol.for("tollscan.node");
const holder = globalThis as typeof globalThis & { [key]?: Promise<Node> };

/**
 * Returns the node. The first call creates it, from the given configuration or from the environment. Rejects with
 * ConfigError, or with the reason why a chain could not be opened.
 */
export function getNode(config?: Config): Promise<Node> {
  if (process.env.NEXT_PHASE === "phase-production-build") {
    return Promise.reject(new Error("A page used the node during the build; render it per request instead."));
  }
  holder[key] ??= open(config);
  return holder[key];
}

async function open(config?: Config): Promise<Node> {
  try {
    return await createNode(config ?? loadConfig(process.env, process.cwd()));
  } catch (error) {
    // Lets a later call try again, for example once the database is reachable.
    delete holder[key];
    throw error;
  }
}

/** Whether this process's data is lost when the process ends. Known before the node is created. */
export const isTemporary = (): boolean => isTemporaryEnvironment(process.env);

/** Closes the node if there is one. Afterward, the process may end. */
export async function closeNode(): Promise<void> {
  const node = await holder[key]?.catch(() => undefined);
  await node?.close();
}
