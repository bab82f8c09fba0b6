/** Fetches the public contracts before the first test, because tests may be started without `npm test`. */
import { ensurePublicContracts } from "../bin/prepare.mjs";

export const setup = ensurePublicContracts;
