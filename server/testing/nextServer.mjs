/** Lets Node resolve "next/server", as @x402/next imports it and only bundlers find it: `next` exports no such path. */
import { registerHooks } from "node:module";

registerHooks({
  resolve: (specifier, context, nextResolve) =>
    nextResolve(specifier === "next/server" ? "next/server.js" : specifier, context),
});
