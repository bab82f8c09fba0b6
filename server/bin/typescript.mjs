/**
 * Lets Node run the TypeScript sources: `node --import ./server/bin/typescript.mjs`. Used instead of `--import tsx`,
 * which on Node 20 registers itself in the main thread alone, so that a worker thread cannot load its .ts file; this
 * module is imported, and registers, in every thread.
 */
import { register } from "tsx/esm/api";

register();
