/**
 * Lets Node resolve "next/server", which @x402/next imports: `next` does not export that path, so only bundlers find
 * it.
 */
import { registerHooks } from "node:module";

registerHooks({
  resolve: (specifier, context, nextResolve) =>
    nextResolve(specifier === "next/server" ? "next/server.js" : specifier, context),
});
