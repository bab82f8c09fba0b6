/** Declares the file that server/bin/publicContracts.mjs writes, because the repository does not contain it. */
declare module "@/.cache/publicContracts.json" {
  const contracts: Record<"permit2" | "multicall3" | "create2Deployer", `0x${string}`>;
  export default contracts;
}
