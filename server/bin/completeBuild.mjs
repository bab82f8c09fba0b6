/**
 * Finishes a build of the pages: `node server/bin/completeBuild.mjs HASH`, with the hash of the sources it was built
 * from.
 */
import { completeBuild } from "./prepare.mjs";

await completeBuild(process.argv[2]);
