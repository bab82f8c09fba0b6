/**
 * Finishes a build of the web pages: `node server/bin/completeBuild.mjs HASH`. HASH is the hash of the sources that
 * were built.
 */
import { completeBuild } from "./prepare.mjs";

await completeBuild(process.argv[2]);
