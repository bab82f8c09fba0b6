/** Encoders for hashes, RLP and storage slots. */
import { concatHex, fromRlp, type Hex, keccak256, numberToHex, sha256, size, stringToHex, toRlp } from "viem";
import {
  developer,
  type Encoder,
  type EncoderResult,
  parseJson,
  toBytes,
  toHexText,
  toJson,
  toWord,
} from "@/components/tools/encode/encoder";

function toRlpInput(value: unknown): Hex | Hex[] {
  if (Array.isArray(value)) return value.map(toRlpInput) as Hex[];
  if (typeof value === "string") return toHexText(value, "Each RLP item");
  throw new Error("RLP items must be hex strings, or lists of them.");
}

export const byteEncoders: readonly Encoder[] = [
  {
    id: "hashes",
    group: "Bytes",
    label: "Hashes",
    hint: "Hex is hashed as bytes, and any other text as UTF-8.",
    fields: [{ name: "input", label: "Text or hex", example: "hello", isLong: true }],
    run({ input = "" }) {
      const bytes = toBytes(input);
      return [
        { label: "keccak256", value: keccak256(bytes) },
        { label: "sha256", value: sha256(bytes) },
        { label: "Bytes", value: bytes },
        { label: "Length", value: `${size(bytes)} bytes` },
      ];
    },
  },
  {
    id: "rlp-encode",
    group: "Bytes",
    label: "RLP encode",
    hint: "Encodes hex strings and nested lists as RLP.",
    fields: [{ name: "items", label: "Items (JSON)", example: '["0x636174", ["0x646f67", "0x"]]', isLong: true }],
    run({ items = "" }) {
      const encoded = toRlp(toRlpInput(parseJson(items, "The items", '["0x636174", ["0x646f67"]]')));
      return [
        { label: "RLP", value: encoded, opens: { label: "Decode it", tool: "rlp-decode", texts: { data: encoded } } },
        { label: "keccak256", value: keccak256(encoded) },
      ];
    },
  },
  {
    id: "rlp-decode",
    group: "Bytes",
    label: "RLP decode",
    hint: "Decodes RLP into hex strings and nested lists.",
    fields: [{ name: "data", label: "RLP", example: "0xca83636174c583646f6780", isLong: true }],
    run: ({ data = "" }) => [{ label: "Items", value: toJson(fromRlp(toHexText(data, "RLP"), "hex")) }],
  },
  {
    id: "slots",
    group: "Bytes",
    label: "Storage slots",
    hint: "The storage slot of an ERC-7201 namespace or a mapping entry.",
    fields: [
      { name: "namespace", label: "Namespace", example: "example.main", isOptional: true },
      { name: "key", label: "Mapping key (address, number or 32 bytes)", example: developer, isOptional: true },
      { name: "slot", label: "Slot of the mapping", example: "0", isOptional: true },
    ],
    run({ namespace = "", key = "", slot = "" }) {
      const results: EncoderResult[] = [];
      if (namespace !== "") {
        const inner = BigInt(keccak256(stringToHex(namespace))) - 1n;
        const outer = BigInt(keccak256(numberToHex(inner, { size: 32 }))) & ~0xffn;
        results.push({ label: "ERC-7201 slot", value: numberToHex(outer, { size: 32 }) });
      }
      if (key !== "" && slot !== "") {
        const words = [key, slot].map((text, at) => toWord(text, at === 0 ? "The key" : "The slot"));
        results.push({ label: "Slot of the entry", value: keccak256(concatHex(words)) });
      }
      return results;
    },
  },
];
