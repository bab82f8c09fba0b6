/**
 * Tests that typed data hashes to the values in public contracts: the type hashes of EIP-3009, EIP-2612 and Permit2,
 * and the domain separators of USDC and Permit2 on public networks.
 */
import { concatHex, domainSeparator, encodeAbiParameters, type Hex, hashTypedData, keccak256 } from "viem";
import { describe, expect, it } from "vitest";
import { canonicalContracts } from "@/lib/contracts";
import { toPermit2Data, toTokenPermitData, toTransferAuthorizationData } from "@/lib/x402/typedData";

const one: Hex = "0x0000000000000000000000000000000000000001";
const two: Hex = "0x0000000000000000000000000000000000000002";
const nonce: Hex = `0x${"07".repeat(32)}`;

const toHash = (separator: Hex, struct: Hex) => keccak256(concatHex(["0x1901", separator, keccak256(struct)]));
const words = (...values: (Hex | bigint)[]) =>
  encodeAbiParameters(
    values.map(() => ({ type: "uint256" })),
    values.map(BigInt),
  );

describe("EIP-3009", () => {
  const usdc: [number, Hex, Hex][] = [
    [
      143,
      "0x754704Bc059F8C67012fEd69BC8A327a5aafb603",
      "0xfe22123edc0dd4aeb912eb7948c5f0e531592c2053b3067612f427db342c93c6",
    ],
    [
      10143,
      "0x534b2f3A21130d7a60830c2Df862319e593943A3",
      "0xf1090f5a61ddee19528cecc447be0f91c7205fc2b34dd271fc0de87809a0a48d",
    ],
  ];
  it.each(usdc)("uses USDC's domain separator on chain %i", (chainId, asset, separator) => {
    const data = toTransferAuthorizationData(
      { chainId, asset, name: "USDC", version: "2" },
      { from: one, to: two, value: "3", validAfter: "4", validBefore: "5", nonce },
    );
    expect(domainSeparator({ domain: data.domain })).toBe(separator);
    const typeHash: Hex = "0x7c7c6cdb67a18743f49ec6fa9b35f50d52ed05cbed4cc592e13b44501c1a2267";
    expect(hashTypedData(data as never)).toBe(toHash(separator, words(typeHash, one, two, 3n, 4n, 5n, nonce)));
  });
});

describe("EIP-2612", () => {
  it("matches the type hash of the standard", () => {
    const token = { chainId: 143, asset: two, name: "USDC", version: "2" };
    const data = toTokenPermitData(token, { owner: one, spender: two, value: 3n, nonce: 4n, deadline: 5n });
    const typeHash: Hex = "0x6e71edae12b1b97f4d1f60370fef10105fa2faae0126114a169c64845d6126c9";
    const separator = domainSeparator({ domain: data.domain });
    expect(hashTypedData(data as never)).toBe(toHash(separator, words(typeHash, one, two, 3n, 4n, 5n)));
  });
});

describe("Permit2", () => {
  const separator: Hex = "0xa0647e1feb1b2082348038c21a15be6aea95d32da1dea93a14a78edf69f9ea03";
  const permitted = words("0x618358ac3db8dc274f0cd8829da7e234bd48cd73c4a740aede1adec9846d06a1", two, 9n);
  const schemes: ["exact" | "upto", Hex, Hex][] = [
    [
      "exact",
      "0xebc156cd23678a74c94df13d772ef5478420637f0c94bd10d509e1dc98f521c7",
      words("0xd97b3239a7f32295517bd14cb074edfdd188dfe5eb42f802bb26d4fd1eb12c37", two, 4n),
    ],
    [
      "upto",
      "0x51dff6974ad4388c499e7fcfe838d2bd767162553a144098ce20ea661d70c2ee",
      words("0xd4171c445a74218b01d4fd8af34ff1106580ea1e36ff837e64484bfaa2253b75", two, one, 4n),
    ],
  ];
  it.each(schemes)("signs the %s witness", (scheme, typeHash, witness) => {
    const data = toPermit2Data(
      scheme,
      { chainId: 10143, permit2: canonicalContracts.permit2 },
      {
        permitted: { token: two, amount: "9" },
        from: one,
        spender: one,
        nonce: "11",
        deadline: "12",
        witness: { to: two, facilitator: one, validAfter: "4" },
      },
    );
    expect(data.domain).toEqual({ name: "Permit2", chainId: 10143, verifyingContract: canonicalContracts.permit2 });
    expect(domainSeparator({ domain: data.domain })).toBe(separator);
    const struct = words(typeHash, keccak256(permitted), one, 11n, 12n, keccak256(witness));
    expect(hashTypedData(data as never)).toBe(toHash(separator, struct));
  });
});
