/** Encoders for signatures. They compute the hashes that wallets sign, and find out who signed them. */
import {
  hashDomain,
  hashMessage,
  hashStruct,
  hashTypedData,
  isHex,
  recoverMessageAddress,
  recoverTypedDataAddress,
} from "viem";
import { developer, type Encoder, parseJson, toHexText, toJson } from "@/components/tools/encode/encoder";

const signatureField = { name: "signature", label: "Signature", example: "", isLong: true, isOptional: true } as const;

function toTypedData(text: string) {
  const data = parseJson(
    text,
    "Typed data",
    '{"types": {…}, "primaryType": "…", "domain": {…}, "message": {…}}',
  ) as Parameters<typeof hashTypedData>[0];
  if (!data?.types || !data.primaryType || !data.domain || !data.message) {
    throw new Error("Typed data must have types, domain, primaryType and message.");
  }
  const fields: Record<string, readonly { name: string; type: string }[]> = {
    EIP712Domain: Object.keys(data.domain).map((name) => ({ name, type: domainTypes[name] ?? "string" })),
    ...(data.types as object),
  };
  return { ...data, types: fields } as typeof data & { types: typeof fields };
}

const domainTypes: Record<string, string> = {
  name: "string",
  version: "string",
  chainId: "uint256",
  verifyingContract: "address",
  salt: "bytes32",
};

export const signatureEncoders: readonly Encoder[] = [
  {
    id: "typed-data",
    group: "Signatures",
    label: "Typed data (EIP-712)",
    hint: "The hashes that a wallet signs, and the signer’s address.",
    fields: [{ name: "data", label: "Typed data (JSON)", example: typedDataExample(), isLong: true }, signatureField],
    async run({ data = "", signature = "" }) {
      const typed = toTypedData(data);
      const { domain, types, primaryType, message } = typed as {
        domain: Record<string, unknown>;
        types: Record<string, { name: string; type: string }[]>;
        primaryType: string;
        message: Record<string, unknown>;
      };
      return [
        { label: "Digest to sign", value: hashTypedData(typed) },
        { label: "Domain separator", value: hashDomain({ domain, types } as never) },
        { label: "Struct hash", value: hashStruct({ data: message, primaryType, types }) },
        ...(signature === ""
          ? []
          : [
              {
                label: "Signer",
                value: await recoverTypedDataAddress({ ...typed, signature: toHexText(signature, "The signature") }),
              },
            ]),
      ];
    },
  },
  {
    id: "message",
    group: "Signatures",
    label: "Message (EIP-191)",
    hint: "The hash that personal_sign signs, and the signer’s address. Hex is signed as bytes.",
    fields: [{ name: "message", label: "Message", example: "hello", isLong: true }, signatureField],
    async run({ message: text = "", signature = "" }) {
      const message = isHex(text) ? { raw: toHexText(text, "The message") } : text;
      const signed = signature === "" ? undefined : toHexText(signature, "The signature");
      return [
        { label: "Digest to sign", value: hashMessage(message) },
        ...(signed ? [{ label: "Signer", value: await recoverMessageAddress({ message, signature: signed }) }] : []),
      ];
    },
  },
];

function typedDataExample(): string {
  return toJson({
    domain: {
      name: "USDC",
      version: "2",
      chainId: 10143,
      verifyingContract: "0x534b2f3A21130d7a60830c2Df862319e593943A3",
    },
    types: {
      Person: [
        { name: "name", type: "string" },
        { name: "wallet", type: "address" },
      ],
    },
    primaryType: "Person",
    message: { name: "Alice", wallet: developer },
  });
}
