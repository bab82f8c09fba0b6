/**
 * How Next builds and serves the pages. The security headers that never change stand here; the Content Security
 * Policy, which carries a nonce per request, is proxy.ts's.
 */
import type { NextConfig } from "next";

const config: NextConfig = {
  poweredByHeader: false,
  // Native and worker-loading packages are required at run time, never bundled.
  serverExternalPackages: ["better-sqlite3", "pg"],
  experimental: {
    agentUpgrade: false,
    // Writing the cache takes a fifth of a first build, and most installations build once.
    turbopackFileSystemCacheForBuild: false,
    // Fewer and larger scripts: a small one compresses badly, and code that two pages share is then loaded once.
    turbopackChunking: { minChunkSize: 150_000, requestCost: 400_000 },
  },
  // Sources that tracing takes for files to be read: a function runs what was bundled of them. A pattern matches
  // anywhere in a path, so that "server/**" would be the bundles of .next/server too.
  outputFileTracingExcludes: {
    "/**": ["server/bin/**", "server/tools/**", "node_modules/typescript/**", "node_modules/solc/**"],
  },
  // The tests and the type check run as steps of their own; a build answers only whether the app builds.
  typescript: { ignoreBuildErrors: true },
  headers: async () => [
    {
      source: "/:path*",
      headers: [
        { key: "X-Content-Type-Options", value: "nosniff" },
        { key: "Referrer-Policy", value: "strict-origin-when-cross-origin" },
        { key: "X-Frame-Options", value: "DENY" },
        // Wallets open popups that answer through their opener.
        { key: "Cross-Origin-Opener-Policy", value: "same-origin-allow-popups" },
        { key: "Permissions-Policy", value: "camera=(), microphone=(), geolocation=(), payment=(), usb=()" },
      ],
    },
  ],
};

export default config;
