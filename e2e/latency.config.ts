/** Measures how long visitors wait for pages (`npm run bench:pages`), with the tests' server, seeded chain and browser. */
import config from "./playwright.config";

export default {
  ...config,
  workers: 1,
  projects: [
    { name: "seed", testMatch: "seed.setup.ts" },
    { name: "latency", testMatch: "latency.ts", dependencies: ["seed"] },
  ],
};
