/** Tests that the hand-assembled hash and calldata for EIP-3009 match the output of viem's encoders. */
import { encodeFunctionData, hashTypedData, toHex } from "viem";
import { describe, expect, it } from "vitest";
import { erc3009Abi } from "@/lib/abi/erc3009";
import { toTransferAuthorizationData } from "@/lib/x402/typedData";
import { encodeSplitTransfer, hashTransfer } from "@/server/x402/schemes/v2-eip155-exact/transferAuthorization";

const domain = {
  chainId: 10143,
  asset: "0x534b2f3a21130d7a60830c2df862319e593943a3",
  name: "USD ₮",
  version: "2",
} as const;
const maxUint256 = String(2n ** 256n - 1n);

describe("the hash and calldata of a transfer", () => {
  it("equal viem's at the limits of every field and for every domain", () => {
    for (const [at, value] of ["0", "1", "10000", maxUint256].entries()) {
      const authorization = {
        from: "0xFCAd0B19bB29D4674531d6f115237E16AfCE377c",
        to: `0x${"0".repeat(39)}${at}`,
        value,
        validAfter: at % 2 === 0 ? "0" : maxUint256,
        validBefore: value,
        nonce: `0x${"Ab".repeat(31)}0${at}`,
      } as const;
      const token = { ...domain, chainId: domain.chainId + at, name: at === 3 ? "" : domain.name };
      expect(hashTransfer(token, authorization)).toBe(
        hashTypedData(toTransferAuthorizationData(token, authorization) as never),
      );
      const { from, to, validAfter, validBefore, nonce } = authorization;
      const split = { r: toHex(at, { size: 32 }), s: toHex(7n, { size: 32 }), v: at % 2 === 0 ? 27 : 28 } as const;
      const fields = [from, to, BigInt(value), BigInt(validAfter), BigInt(validBefore), nonce] as const;
      expect(encodeSplitTransfer(authorization, split)).toBe(
        encodeFunctionData({
          abi: erc3009Abi,
          functionName: "transferWithAuthorization",
          args: [...fields, split.v, split.r, split.s],
        }).toLowerCase(),
      );
    }
  });
});
