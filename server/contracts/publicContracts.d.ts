/**
 * Declares the types of the file that server/bin/publicContracts.mjs writes, because that file is not in the
 * repository.
 */
declare module "@/.cache/publicContracts.json" {
  const contracts: Record<"permit2" | "multicall3" | "create2Deployer", `0x${string}`>;
  export default contracts;
}
