/** Encoders and decoders for the contract ABI. */
import {
  type AbiEvent,
  type AbiFunction,
  decodeAbiParameters,
  decodeEventLog,
  decodeFunctionData,
  encodeAbiParameters,
  encodeFunctionData,
  encodePacked,
  type Hex,
  keccak256,
  numberToHex,
  parseAbiItem,
  parseAbiParameters,
  stringToHex,
  toEventSelector,
  toFunctionSelector,
  toFunctionSignature,
} from "viem";
import { toAbiValues } from "@/components/tools/encode/abiValues";
import { developer, type Encoder, parseJson, toHexText, toJson } from "@/components/tools/encode/encoder";
import { functionSignatures } from "@/lib/decode/selectors";

const valuesForm = '["0x…", 10000]';
const transferCall =
  "0xa9059cbb000000000000000000000000f39fd6e51aad88f6f4ce6ab8827279cfffb922660000000000000000000000000000000000000000000000000000000000002710";
function toFunction(text: string): AbiFunction {
  const item = parseAbiItem(/^function\b/.test(text) ? text : `function ${text}`) as { type: string };
  if (item.type !== "function") throw new Error("This is not a function signature.");
  return item as AbiFunction;
}

function toEvent(text: string): AbiEvent {
  const item = parseAbiItem(/^event\b/.test(text) ? text : `event ${text}`) as { type: string };
  if (item.type !== "event") throw new Error("This is not an event signature.");
  return item as AbiEvent;
}

const toParameters = (text: string) =>
  parseAbiParameters(text.trim().replace(/^\((.*)\)$/, "$1")) as readonly { type: string; name?: string }[];

export const abiEncoders: readonly Encoder[] = [
  {
    id: "encode-call",
    group: "ABI",
    label: "Encode a call",
    hint: "Encodes a function call as calldata.",
    fields: [
      { name: "function", label: "Function", example: "transfer(address to, uint256 amount)" },
      { name: "values", label: "Arguments (JSON array)", example: `["${developer}", 10000]`, isLong: true },
    ],
    run({ function: text = "", values = "" }) {
      const item = toFunction(text);
      const args = toAbiValues(item.inputs, parseJson(values, "The arguments", valuesForm));
      const data = encodeFunctionData({ abi: [item], args });
      const opens = { label: "Decode it", tool: "decode-call", texts: { function: text, data } };
      return [
        { label: "Calldata", value: data, opens },
        { label: "Selector", value: toFunctionSelector(item) },
      ];
    },
  },
  {
    id: "decode-call",
    group: "ABI",
    label: "Decode a call",
    hint: "Decodes calldata. If the function is common, such as transfer, you can leave its signature out.",
    fields: [
      { name: "function", label: "Function", example: "transfer(address to, uint256 amount)", isOptional: true },
      { name: "data", label: "Calldata", example: transferCall, isLong: true },
    ],
    run({ function: text = "", data = "" }) {
      const bytes = toHexText(data, "Calldata");
      const signature = text || functionSignatures[bytes.slice(0, 10)];
      if (!signature) throw new Error(`Enter the function: ${bytes.slice(0, 10)} is not the selector of a common one.`);
      const item = toFunction(signature);
      const selector = toFunctionSelector(item);
      if (bytes.slice(0, 10) !== selector) {
        throw new Error(
          `The calldata starts with ${bytes.slice(0, 10)}, but ${toFunctionSignature(item)} is ${selector}.`,
        );
      }
      const { args = [] } = decodeFunctionData({ abi: [item], data: bytes });
      return item.inputs.map(({ name, type }, at) => ({
        label: `${name || at} (${type})`,
        value: toText((args as readonly unknown[])[at]),
      }));
    },
  },
  {
    id: "encode-parameters",
    group: "ABI",
    label: "Encode parameters",
    hint: "Encodes values, such as constructor arguments, as ABI words and in packed form.",
    fields: [
      { name: "types", label: "Types", example: "address, uint256, string" },
      { name: "values", label: "Values (JSON array)", example: `["${developer}", 10000, "hello"]`, isLong: true },
    ],
    run({ types = "", values = "" }) {
      const parameters = toParameters(types);
      const args = toAbiValues(parameters, parseJson(values, "The values", valuesForm));
      const data = encodeAbiParameters(parameters, args as never);
      const opens = { label: "Decode it", tool: "decode-parameters", texts: { types, data } };
      const encoded = { label: "Encoded", value: data, opens };
      if (parameters.some(({ type }) => type.startsWith("tuple"))) return [encoded];
      const packed = encodePacked(
        parameters.map(({ type }) => type),
        args,
      );
      return [encoded, { label: "Packed", value: packed }];
    },
  },
  {
    id: "decode-parameters",
    group: "ABI",
    label: "Decode parameters",
    hint: "Decodes ABI-encoded data, such as a function’s return data.",
    fields: [
      { name: "types", label: "Types", example: "address to, uint256 amount" },
      { name: "data", label: "Data", example: `0x${transferCall.slice(10)}`, isLong: true },
    ],
    run({ types = "", data = "" }) {
      const parameters = toParameters(types);
      const values = decodeAbiParameters(parameters, toHexText(data, "Data")) as readonly unknown[];
      return parameters.map(({ name, type }, at) => ({ label: `${name || at} (${type})`, value: toText(values[at]) }));
    },
  },
  {
    id: "decode-event",
    group: "ABI",
    label: "Decode an event",
    hint: "Decodes a log’s topics and data into the event’s values.",
    fields: [
      {
        name: "event",
        label: "Event",
        example: "Transfer(address indexed from, address indexed to, uint256 value)",
      },
      {
        name: "topics",
        label: "Topics, one per line",
        example: [
          "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef",
          `0x${"0".repeat(24)}f39fd6e51aad88f6f4ce6ab8827279cfffb92266`,
          `0x${"0".repeat(24)}70997970c51812dc3a010c7d01b50e0d17dc79c8`,
        ].join("\n"),
        isLong: true,
      },
      { name: "data", label: "Data", example: numberToHex(10_000, { size: 32 }), isLong: true, isOptional: true },
    ],
    run({ event = "", topics = "", data = "" }) {
      const item = toEvent(event);
      const list = topics
        .split(/[\s,]+/)
        .filter(Boolean)
        .map((topic) => toHexText(topic, "Each topic"));
      const topic = toEventSelector(item);
      if (list[0] !== topic) throw new Error(`The first topic of ${item.name} must be ${topic}.`);
      const { args = {} } = decodeEventLog({
        abi: [item],
        topics: list as [Hex, ...Hex[]],
        data: toHexText(data, "Data"),
      });
      return Object.entries(args).map(([name, value]) => ({ label: name, value: toText(value) }));
    },
  },
  {
    id: "selectors",
    group: "ABI",
    label: "Selectors and topics",
    hint: "The selector of a function or error, and the topic of an event.",
    fields: [{ name: "signature", label: "Signature", example: "transfer(address,uint256)" }],
    run({ signature = "" }) {
      const text = signature.replace(/^(function|event|error)\s+/, "");
      const item = toFunction(text.replace(/\s*\bindexed\b/g, ""));
      const canonical = toFunctionSignature(item);
      const topic = keccak256(stringToHex(canonical));
      return [
        { label: "Canonical signature", value: canonical },
        { label: "Selector", value: topic.slice(0, 10) },
        { label: "Topic", value: topic },
      ];
    },
  },
];

/** Shows a decoded value as text, or as JSON if it is nested. */
function toText(value: unknown): string {
  return typeof value === "object" && value !== null ? toJson(value) : String(value);
}
