/**
 * Fetches the code of public contracts from published packages into .cache/publicContracts.json, which our sources
 * import. npm checks each package against its hash. The packages are not in package.json because npm would also install
 * their dependencies: hundreds of packages for 13 KB of code.
 */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** @typedef {{ name: string, version: string, integrity: string, file: string, read: (file: Buffer) => string }} Source */

/**
 * Each package's file contains a contract's creation code. For Multicall3, it contains the signed transaction that
 * deploys the contract.
 * @type {Record<string, Source>}
 */
const sources = {
  permit2: {
    name: "hardhat-predeploy",
    version: "0.4.1",
    integrity: "sha512-53Eoj5YECKNTkEezGByjKP5rVbYU0s1is8CtEbm0DPbqMgstNrPMQ0dfcDxA5Fu+hlZhc5w0T+RmJ/d/GAbB6g==",
    file: "bin/0x000000000022D473030F116dDEE9F6B43aC78BA3.bytecode",
    read: (file) => `0x${file.toString("hex")}`,
  },
  multicall3: {
    name: "@aztec/ethereum",
    version: "4.1.2",
    integrity: "sha512-x/a+bv6klLfouzp4m0mdS/HiJSFwjfWXOiXaQrlOSRPcQwra796z8DC6vYk8YRadAnXygzIe24/uObtyLSKKyg==",
    file: "dest/contracts/multicall.js",
    read: (file) => file.toString().match(/0xf90f53[0-9a-f]+/)[0],
  },
  // Safe's factory has the same code as this deployer, but another address.
  create2Deployer: {
    name: "@safe-global/safe-singleton-factory",
    version: "2.0.0",
    integrity: "sha512-cWkdWHLCB6bfF86Y0cyesS7nunWZGhY8ZuDIxrL+Ra03wE8j1EWnLW0xc3tXh4+JBoPOE2r1ALwc//BM/bTvrA==",
    file: "artifacts/bytecode.txt",
    read: (file) => `0x${file.toString().trim()}`,
  },
};

const versions = Object.values(sources)
  .map(({ name, version }) => `${name}@${version}`)
  .join(" ");

/**
 * Writes publicContracts.json into a folder, unless it is already there and was made from these package versions.
 * @param {string} cache
 * @param {(packages: Source[], folder: string, what: string) => Promise<void>} install like installExact in prepare.mjs
 */
export async function fetchPublicContracts(cache, install) {
  const target = join(cache, "publicContracts.json");
  if (existsSync(target) && JSON.parse(readFileSync(target, "utf8")).versions === versions) return;
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, "unfinished-"));
  try {
    await install(Object.values(sources), folder, "Fetching the public contracts");
    /** @type {Record<string, string>} */
    const contracts = { versions };
    for (const [contract, { name, file, read }] of Object.entries(sources)) {
      contracts[contract] = read(readFileSync(join(folder, "node_modules", name, file)));
    }
    const written = join(folder, "contracts.json");
    writeFileSync(written, JSON.stringify(contracts));
    renameSync(written, target);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
