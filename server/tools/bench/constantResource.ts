/**
 * This module is preloaded into our server (`--import`), so that the server sells the same constant response as the
 * reference server. Nothing else in the server changes.
 */
import { isMainThread } from "node:worker_threads";

/** Worker threads also load this file, but they must not open a node. */
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
