/**
 * Takes the README's pictures from the real app: `npm run screenshots`. The same server and browser as the tests.
 */
import config from "./playwright.config";

export default { ...config, projects: [{ name: "screenshots", testMatch: "screenshots.ts" }] };
