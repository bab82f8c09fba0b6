/**
 * Compares the committed artifacts, the hand-picked ABIs and the README with the Solidity sources.
 */
import { readdirSync, readFileSync } from "node:fs";
import { type Abi, keccak256, toEventSelector, toFunctionSelector } from "viem";
import { formatAbiItem } from "viem/utils";
import { beforeAll, describe, expect, it } from "vitest";
import { permit2Abi } from "@/lib/abi/permit2";
import { tokenAbi } from "@/lib/abi/token";
import { exactProxyAbi, uptoProxyAbi } from "@/lib/abi/x402Proxies";
import { canonicalContracts } from "@/lib/contracts";
import { type Artifact, compileSources, listSources } from "@/server/contracts/compiler";
import { listPredeploys } from "@/server/contracts/predeploys";

let compiled: Record<string, Artifact>;
const readArtifact = (name: string) =>
  JSON.parse(readFileSync(new URL(`./artifacts/${name}.json`, import.meta.url), "utf8")) as Artifact;

beforeAll(() => {
  compiled = compileSources(listSources());
});

describe("the compiled artifacts", () => {
  it("match freshly compiled sources byte for byte", () => {
    const committed = readdirSync(new URL("./artifacts/", import.meta.url)).map((file) => file.replace(".json", ""));
    expect(committed.sort()).toEqual(Object.keys(compiled).sort());
    for (const name of committed) expect(compiled[name], name).toEqual(readArtifact(name));
  });

  it("have the selectors that clients of the public contracts call", () => {
    const expected: Record<string, string[]> = {
      // Selectors of transferWithAuthorization, receiveWithAuthorization, cancelAuthorization and permit, each in two
      // variants (with v, r, s and with bytes); then authorizationState.
      Token: [
        "e3ee160e",
        "cf092995",
        "ef55bec6",
        "88b7ab63",
        "5a049a70",
        "b7b72899",
        "d505accf",
        "9fd5a6cf",
        "e94a0102",
      ],
      X402ExactPermit2Proxy: ["13cd3b53", "fa340378"],
      X402UptoPermit2Proxy: ["ff11e7b4", "016c1748"],
    };
    for (const [name, selectors] of Object.entries(expected)) {
      const have = Object.values(readArtifact(name).selectors.functions);
      expect(have, name).toEqual(expect.arrayContaining(selectors.map((selector) => `0x${selector}`)));
    }
  });

  it("have the error selectors that facilitators match on", () => {
    const { errors: upto } = readArtifact("X402UptoPermit2Proxy").selectors;
    expect(upto).toMatchObject({
      "AmountExceedsPermitted()": "0xfe64b4c7",
      "UnauthorizedFacilitator()": "0x0f6fae87",
      "InvalidAmount()": "0x2c5211c6",
      "InvalidOwner()": "0x49e27cff",
      "InvalidDestination()": "0xac6b05f5",
      "PaymentTooEarly()": "0xa65539fa",
      "Permit2612AmountMismatch()": "0x050cda49",
    });
  });
});

describe("the ABIs in lib/abi", () => {
  const permit2Errors = permit2Abi.flatMap((item) =>
    item.type === "error" ? [toFunctionSelector(formatAbiItem(item))] : [],
  );
  it.each<[string, string, Abi]>([
    ["token", "Token", tokenAbi],
    ["exact proxy", "X402ExactPermit2Proxy", exactProxyAbi],
    ["upto proxy", "X402UptoPermit2Proxy", uptoProxyAbi],
  ])("%s has only entries that the contract implements", (_, name, abi) => {
    const artifact = readArtifact(name);
    const functions = new Map(
      artifact.abi.flatMap((item) => (item.type === "function" ? [[toFunctionSelector(item), item] as const] : [])),
    );
    for (const item of abi) {
      const text = formatAbiItem(item as Parameters<typeof formatAbiItem>[0]);
      if (item.type === "function") {
        const own = functions.get(toFunctionSelector(item));
        expect(own?.stateMutability, text).toBe(item.stateMutability);
        expect(
          own?.outputs.map(({ type }) => type),
          text,
        ).toEqual(item.outputs.map(({ type }) => type));
      } else if (item.type === "event") {
        expect(Object.values(artifact.selectors.events), text).toContain(toEventSelector(item));
      } else if (item.type === "error") {
        const known = [...Object.values(artifact.selectors.errors), ...permit2Errors];
        expect(known, text).toContain(toFunctionSelector(text));
      }
    }
  });
});

it("lists the code hash of every contract in the README", () => {
  const readme = readFileSync(new URL("./README.md", import.meta.url), "utf8");
  for (const { codeHash } of Object.values(compiled)) expect(readme).toContain(codeHash);
  for (const chainId of [10143, 143]) {
    for (const [, { code }] of listPredeploys(canonicalContracts, chainId)) expect(readme).toContain(keccak256(code));
  }
});
