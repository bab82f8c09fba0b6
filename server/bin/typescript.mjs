/**
 * Lets Node run our TypeScript: `node --import ./server/bin/typescript.mjs FILE`. Node strips the types itself; this
 * file resolves "@/" and imports without an extension. Worker threads inherit the flag, but child processes don't: pass
 * them process.execArgv.
 */
import { existsSync } from "node:fs";
import { registerHooks } from "node:module";
import { fileURLToPath } from "node:url";

const root = new URL("../../", import.meta.url).href;
/**
 * Folders in the project that don't contain sources: installed packages and Next's output. Next loads its output with
 * `require`.
 */
const foreign = /\/(node_modules|\.next)\//;

/** @param {string} url @returns {string} the file that an import without an extension refers to, if there is one */
const toFile = (url) => [`${url}.ts`, `${url}.tsx`].find((file) => existsSync(fileURLToPath(file))) ?? url;

registerHooks({
  resolve(specifier, context, nextResolve) {
    const isOurs = context.parentURL?.startsWith(root) && !foreign.test(context.parentURL);
    if (!isOurs || !/^(@\/|\.\.?\/)/.test(specifier)) return nextResolve(specifier, context);
    const { href } = specifier.startsWith("@/")
      ? new URL(specifier.slice(2), root)
      : new URL(specifier, context.parentURL);
    return nextResolve(/\.(ts|tsx|mjs|json|css)$/.test(href) ? href : toFile(href), context);
  },
});
