/** Builds the pages before the first worker starts, if the sources have changed since the last build. */
import { checkConfig, ensureBuild } from "../server/bin/prepare.mjs";

export default () => ensureBuild({ check: checkConfig, say: (line) => console.log(line) });
