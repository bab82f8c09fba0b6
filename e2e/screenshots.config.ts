/**
 * Takes the README's screenshots of the real app (`npm run screenshots`), with the same server and browser as the
 * tests.
 */
import config from "./playwright.config";

export default { ...config, projects: [{ name: "screenshots", testMatch: "screenshots.ts" }] };
