/**
 * How Next builds and serves the pages. Constant security headers are set here; proxy.ts sets the Content Security
 * Policy.
 */
import type { NextConfig } from "next";

const config: NextConfig = {
  poweredByHeader: false,
  // Native packages and packages that load workers are not bundled. They are loaded with `require` at run time.
  serverExternalPackages: ["better-sqlite3", "pg"],
  experimental: {
    agentUpgrade: false,
    // Writing the cache takes a fifth of the first build's time. Most installations build only once.
    turbopackFileSystemCacheForBuild: false,
    // Prefers fewer, larger scripts, because small ones compress poorly.
    turbopackChunking: { minChunkSize: 150_000, requestCost: 400_000 },
  },
  // Excludes sources that tracing mistakes for files read at run time. A pattern matches anywhere in a path, so
  // "server/**" would also exclude the bundles in .next/server.
  outputFileTracingExcludes: {
    "/**": ["server/bin/**", "server/tools/**", "node_modules/typescript/**", "node_modules/solc/**"],
  },
  // A separate step checks types, so that a build only fails if the app cannot be built.
  typescript: { ignoreBuildErrors: true },
  headers: async () => [
    {
      source: "/:path*",
      headers: [
        { key: "X-Content-Type-Options", value: "nosniff" },
        { key: "Referrer-Policy", value: "strict-origin-when-cross-origin" },
        { key: "X-Frame-Options", value: "DENY" },
        // Wallets open popups that respond through window.opener.
        { key: "Cross-Origin-Opener-Policy", value: "same-origin-allow-popups" },
        { key: "Permissions-Policy", value: "camera=(), microphone=(), geolocation=(), payment=(), usb=()" },
      ],
    },
  ],
};

export default config;
