/**
 * Makes "next/server" work in Node, because @x402/next imports it. `next` doesn't export that path, so otherwise only
 * bundlers could resolve it.
 */
import { registerHooks } from "node:module";

registerHooks({
  resolve: (specifier, context, nextResolve) =>
    nextResolve(specifier === "next/server" ? "next/server.js" : specifier, context),
});
