/** The name and version of this program and its runtime. */
import packageJson from "@/package.json" with { type: "json" };

export const clientVersion = `Tollscan/v${packageJson.version}/${process.platform}-${process.arch}/node${process.version}`;

/** Hardhat's and other test helpers work only with a node whose name begins with one they know. */
export const devClientVersion = `anvil-compatible/${clientVersion}`;
