/**
 * Preloaded into our server (`--import`) so that it sells a constant response, as the reference server in the
 * comparison does. Invariant: everything else in the server is unchanged.
 */
import { isMainThread } from "node:worker_threads";

/** Workers inherit the process's flags, but must not open its node. */
if (isMainThread) {
  const [{ getNode }, { constantPath, requirement }] = await Promise.all([
    import("@/server/node/instance"),
    import("@/server/tools/bench/sides"),
  ]);
  const node = await getNode();
  const { findHandler } = node;
  const sold = node.paywall.withPayment({ methods: ["GET"], accepts: [requirement] }, async () => ({
    status: 200,
    headers: { "content-type": "application/json" },
    body: '{"ok":true}',
  }));
  node.findHandler = (path) => (path === constantPath ? sold : findHandler(path));
}
