/** Tests the npm package's public modules by importing them as other programs do. */
import { execFile } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { toSellerCode } from "@/components/payments/sellerCode";
import { canonicalContracts } from "@/lib/contracts";
import { bundleLibrary, libraryExports } from "@/server/bin/library.mjs";
import { root } from "@/server/bin/prepare.mjs";
import { getPreset } from "@/server/config/presets";
import { createTollscan } from "@/server/library/tollscan";
import { getServerCode } from "@/server/testing/serverProcess";
import { checkTypes, runShop } from "@/server/tools/runSuites";

const run = promisify(execFile);
const app = mkdtempSync(join(tmpdir(), "tollscan-library-"));
const installed = join(app, "node_modules", "tollscan");
const names = ["client", "server", "viem"];

beforeAll(async () => {
  mkdirSync(join(installed, ".next"), { recursive: true });
  symlinkSync(dirname(await getServerCode()), join(installed, ".next", "server-code"));
  await bundleLibrary(root, join(installed, "library"));
  const manifest = { name: "tollscan", type: "module", exports: libraryExports };
  writeFileSync(join(installed, "package.json"), JSON.stringify(manifest));
  writeFileSync(join(app, "package.json"), JSON.stringify({ type: "module" }));
  mkdirSync(join(app, "node_modules", "@types"));
  // Packages other than ours that the importing program has installed.
  for (const name of ["@types/node", "undici-types", "viem"]) {
    symlinkSync(join(root, "node_modules", name), join(app, "node_modules", name));
  }
});
afterAll(() => rmSync(app, { recursive: true, force: true }));

it.each([
  { resolution: "nodenext", type: "module" },
  { resolution: "nodenext", type: "commonjs" },
  { resolution: "bundler", type: "module" },
])(
  "types are complete for a strict program with $resolution resolution and type $type",
  async ({ resolution, type }) => {
    const program = `
    import { createTollscan, type Tollscan } from "tollscan";
    import { payFetch, type PayFetchResult, type PaymentSigner } from "tollscan/client";
    import { createHttpFacilitatorClient, createPaywall, type Paywall } from "tollscan/server";
    import { createClients, createPayFetch } from "tollscan/viem";
    const facilitator = createHttpFacilitatorClient({ url: "http://localhost:3000/api/facilitator" });
    export const paywall: Paywall = createPaywall({ facilitator });
    const signer: PaymentSigner = { address: "0x00", signTypedData: async () => "0x00" };
    export const paid: Promise<PayFetchResult> = payFetch("http://localhost", { signer, spendLimits: [] });
    // @ts-expect-error The signer is missing.
    void payFetch("http://localhost", { spendLimits: [] });
    export async function run(): Promise<bigint> {
      await using tollscan: Tollscan = await createTollscan({ networks: ["testnet", { preset: "base", label: "Base 2" }] });
      await tollscan.fund(tollscan.accounts[0]?.address ?? "0x00", { tokens: { USDC: "1" } });
      await tollscan.revert(await tollscan.snapshot("base"));
      const { publicClient, walletClient, testClient } = createClients(tollscan, "base");
      await testClient.mine({ blocks: 1 });
      await walletClient.sendTransaction({ to: walletClient.account.address, value: 1n });
      const { settlement } = await createPayFetch(tollscan)(tollscan.url);
      return publicClient.getBalance({ address: (settlement?.payer ?? "0x00") as "0x00" });
    }
    // @ts-expect-error The option is misspelled.
    void createTollscan({ network: "testnet" });`;
    const folder = mkdtempSync(join(app, "types-"));
    writeFileSync(join(folder, "package.json"), JSON.stringify({ type }));
    writeFileSync(join(folder, "program.ts"), program);
    const compilerOptions = {
      ...{ strict: true, exactOptionalPropertyTypes: true, skipLibCheck: false, noEmit: true, types: [] },
      ...{
        target: "es2022",
        lib: ["es2022", "dom"],
        module: resolution === "bundler" ? "esnext" : resolution,
        moduleResolution: resolution,
      },
    };
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["program.ts"] }));
    const tsc = join(root, "node_modules/typescript/bin/tsc");
    const { stdout } = await run(process.execPath, [tsc, "-p", folder]).catch((error: { stdout: string }) => error);
    expect(stdout).toBe("");
  },
);

it.each([
  ["client", "without any package"],
  ["server", "without any package"],
  ["viem", "with viem"],
])("%s runs %s", async (name, packages) => {
  const folder = mkdtempSync(join(tmpdir(), "tollscan-module-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  cpSync(join(installed, "library"), folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), JSON.stringify({ type: "module" }));
  if (packages === "with viem") {
    mkdirSync(join(folder, "node_modules"));
    symlinkSync(join(root, "node_modules", "viem"), join(folder, "node_modules", "viem"));
  }
  const program = `
    const imported = Object.keys(await import("./${name}.js"));
    const { createRequire } = await import("node:module");
    const required = Object.keys(createRequire(process.cwd() + "/program.js")("./${name}.cjs"));
    console.log(imported.sort().join() === required.sort().join(), imported.length);`;
  const { stdout } = await run(process.execPath, ["--input-type=module", "-e", program], { cwd: folder });
  expect(stdout).toMatch(/^true [2-9]\n$/);
});

it("there is one file of types for each module, as an ES module and as CommonJS", () => {
  const files = readdirSync(join(installed, "library")).filter((name) => /\.d\.c?ts$/.test(name));
  expect(files.sort()).toEqual(["tollscan", ...names].flatMap((name) => [`${name}.d.cts`, `${name}.d.ts`]).sort());
});

it("starts and sells from CommonJS, where require can't load an ES module as in Jest", async () => {
  const program = `
    const { createTollscan } = require("tollscan");
    const { createPaywall } = require("tollscan/server");
    const { createPayFetch } = require("tollscan/viem");
    createTollscan({ networks: ["base-sepolia"] }).then(async (tollscan) => {
      const { withPayment } = createPaywall({ facilitatorUrl: tollscan.facilitatorUrl });
      const price = { price: "$0.01", networks: ["base-sepolia"], payTo: tollscan.accounts[3].address };
      const handler = withPayment(price, () => Response.json({ report: "sunny" }));
      const shop = (input, init) => handler(new Request(input, init));
      const { settlement } = await createPayFetch(tollscan)("http://shop.test/report", {}, { fetch: shop });
      await tollscan.stop();
      console.log(settlement.success);
    });`;
  writeFileSync(join(app, "program.cjs"), program);
  const { stdout } = await run(process.execPath, ["--no-experimental-require-module", "program.cjs"], { cwd: app });
  expect(stdout).toBe("true\n");
});

it("has types that fit the README's programs", () => {
  expect(() => checkTypes(app)).not.toThrow();
});

it.each(["base-sepolia", "testnet"] as const)(
  "sells to the README's buyer in the README's seller on %s",
  async (name) => {
    await using tollscan = await createTollscan({ networks: [name] });
    expect(await runShop(app, tollscan.url, name)).toBe("200 { report: 'sunny' }");
  },
);

it("the facilitator page's seller is the README's", async () => {
  const network = {
    ...getPreset("base-sepolia"),
    contracts: canonicalContracts,
    embedded: true,
    isLocal: true,
    publicChain: undefined,
  };
  await using tollscan = await createTollscan({ networks: ["base-sepolia"] });
  const code = toSellerCode("tollscan", "http://localhost:3000/api/facilitator", network);
  expect(await runShop(app, tollscan.url, "base-sepolia", code)).toBe("200 { report: 'sunny' }");
});

it("runs the README's test and Next route", async () => {
  checkTypes(app);
  const { stdout } = await run(process.execPath, ["--test", "report.test.mjs"], { cwd: app });
  expect(stdout).toContain("pass 1");
  const program = `
    const { GET } = await import("./route.ts");
    const response = await GET(new Request("http://shop.test/7"), { params: Promise.resolve({ id: "7" }) });
    console.log(response.status, (await response.json()).accepts[0].amount);`;
  const route = await run(process.execPath, ["--input-type=module", "-e", program], { cwd: app });
  expect(route.stdout.trim()).toBe("402 20000");
});
