/**
 * Loaded into our server before it starts (`--import`): puts a price on a constant, so that a paid request can be
 * compared with that of a peer whose resource is a constant. Invariant: all else is the server as it always is.
 */
import { isMainThread } from "node:worker_threads";

/** Workers are started with the flags of their process, and must not open its node. */
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
  node.findHandler = (method, path) => (path === constantPath ? sold : findHandler(method, path));
}
