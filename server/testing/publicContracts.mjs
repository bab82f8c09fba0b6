/**
 * Fetches the public contracts before the first test. `npm test` does that too, but tests may be started without it.
 */
import { ensurePublicContracts } from "../bin/prepare.mjs";

export const setup = ensurePublicContracts;
