/**
 * Measures how long visitors wait for pages (`npm run bench:pages`). Uses the same server, seeded chain and browser as
 * the tests.
 */
import config from "./playwright.config";

export default {
  ...config,
  workers: 1,
  projects: [
    { name: "seed", testMatch: "seed.setup.ts" },
    { name: "latency", testMatch: "latency.ts", dependencies: ["seed"] },
  ],
};
