/** Encoders for amounts in different units, and for addresses. */
import { getContractAddress, keccak256, numberToHex, size } from "viem";
import { developer, type Encoder, toAddress, toHexText, toWord } from "@/components/tools/encode/encoder";
import { toChecksumAddress } from "@/lib/address";
import { formatUnits, parseUnits } from "@/lib/units";

const units = { wei: 0, gwei: 9, ether: 18 } as const;

export const addressEncoders: readonly Encoder[] = [
  {
    id: "units",
    group: "Numbers",
    label: "Units",
    hint: "Converts an amount to every unit, and to the units of a token if you enter its decimals.",
    fields: [
      { name: "amount", label: "Amount", example: "1.5" },
      { name: "unit", label: "Unit: wei, gwei, ether, or a number of decimals", example: "gwei" },
      { name: "decimals", label: "Token decimals", example: "6", isOptional: true },
    ],
    run({ amount = "", unit = "", decimals = "" }) {
      const toDecimals = (text: string) => {
        const known = (units as Record<string, number>)[text.toLowerCase()];
        if (known === undefined && !/^\d{1,2}$/.test(text)) {
          throw new Error("The unit must be wei, gwei, ether, or a number of decimals.");
        }
        return known ?? Number(text);
      };
      const smallest = parseUnits(amount, toDecimals(unit));
      return [
        ...Object.entries(units).map(([label, places]) => ({ label, value: formatUnits(smallest, places) })),
        { label: "Hex", value: numberToHex(smallest) },
        ...(decimals === ""
          ? []
          : [{ label: `Tokens with ${decimals} decimals`, value: formatUnits(smallest, toDecimals(decimals)) }]),
      ];
    },
  },
  {
    id: "checksum",
    group: "Addresses",
    label: "Checksum",
    hint: "An address with its EIP-55 checksum, and as a 32-byte word.",
    fields: [{ name: "address", label: "Address", example: developer.toLowerCase() }],
    run({ address = "" }) {
      const lower = toAddress(address, "This");
      return [
        { label: "Checksummed", value: toChecksumAddress(lower) },
        { label: "Lowercase", value: lower },
        { label: "Word", value: `0x${"0".repeat(24)}${lower.slice(2)}` },
      ];
    },
  },
  {
    id: "create",
    group: "Addresses",
    label: "CREATE address",
    hint: "The address of the contract that an account deploys with this nonce.",
    fields: [
      { name: "sender", label: "Creator", example: developer },
      { name: "nonce", label: "Nonce", example: "0" },
    ],
    run({ sender = "", nonce = "" }) {
      if (!/^\d{1,19}$/.test(nonce)) throw new Error("The nonce must be a whole number.");
      const address = getContractAddress({ from: toAddress(sender, "The creator"), nonce: BigInt(nonce) });
      return [{ label: "Contract", value: address }];
    },
  },
  {
    id: "create2",
    group: "Addresses",
    label: "CREATE2 address",
    hint: "The address where a factory deploys a contract. Enter its creation code, or the code’s 32-byte hash.",
    fields: [
      { name: "deployer", label: "Factory", example: "0x4e59b44847b379578588920cA78FbF26c0B4956C" },
      { name: "salt", label: "Salt", example: "0" },
      { name: "code", label: "Creation code or its hash", example: "0x00", isLong: true },
    ],
    run({ deployer = "", salt = "", code = "" }) {
      const bytes = toHexText(code, "The creation code");
      const bytecodeHash = size(bytes) === 32 ? bytes : keccak256(bytes);
      const from = toAddress(deployer, "The factory");
      return [
        {
          label: "Contract",
          value: getContractAddress({ opcode: "CREATE2", from, salt: toWord(salt, "The salt"), bytecodeHash }),
        },
        { label: "Hash of the code", value: bytecodeHash },
      ];
    },
  },
];
