/** Answers a script's questions about the traced run: the current opcode, frame and state. */

import { opcodes } from "@/lib/opcodes";
import { toBytes, toHex, toWord } from "@/server/ethereum/codec/bytes";
import { toCreate2Address, toCreateAddress } from "@/server/ethereum/codec/contractAddress";
import { TracerScriptError } from "@/server/ethereum/errors";
import type { Address, Hash, Hex } from "@/server/ethereum/types";
import type { EnteredFrame, Step } from "@/server/evm/listener";
import type { HostValue } from "@/server/evm/tracers/javascript/sandbox";
import { toGethName } from "@/server/evm/tracers/step";

type ShownFrame = Pick<EnteredFrame, "op" | "from" | "to" | "value" | "gas" | "input">;
type OpenFrame = { entered: EnteredFrame; destruct?: ShownFrame };

export type Shown = {
  isPrecompile(address: Address): boolean;
  /** The latest opcode, with the frame's state before it ran. */
  step?: Step;
  state?: Pick<Step, "getAccount" | "getSlot" | "getCode">;
  /** Running frames, innermost last. */
  frames: OpenFrame[];
  /** Set if the latest opcode just failed. */
  fault?: { message: string; cost: number };
  /** The frame that is passed to the script's enter() or exit(). */
  frame?: ShownFrame;
  left?: { gasUsed: number; output: Hex; error?: string };
};

type Query = (shown: Shown, first: number | string | undefined, second: number | string | undefined) => HostValue;

/** How far past the end of a frame's memory a script may read, as in geth. */
const maxPadding = 1 << 20;

const toText = (value: bigint): string => value.toString();
const toAddressOf = (value: unknown) => String(value) as Address;
const isCreation = (op: number) => op === opcodes.CREATE || op === opcodes.CREATE2;

/**
 * The frame that determines CALLER and CALLVALUE for the running code. In a DELEGATECALL, these values come from the
 * calling frame.
 */
function findOwn({ frames }: Shown): EnteredFrame | undefined {
  return frames.findLast(({ entered }) => entered.op !== opcodes.DELEGATECALL)?.entered;
}

function readMemory({ step }: Shown, start: number, end: number): Uint8Array {
  if (start === end) return new Uint8Array(0);
  if (!(start >= 0 && end > start)) {
    throw new TracerScriptError(`tracer accessed out of bound memory: offset ${start}, end ${end}`);
  }
  const padding = end - Math.max(start, step?.memoryBytes ?? 0);
  if (padding > maxPadding) throw new TracerScriptError(`reached limit for padding memory slice: ${padding}`);
  return step?.memory(start, end - start) ?? new Uint8Array(end - start);
}

const queries: Readonly<Record<string, Query>> = {
  op: ({ step }) => step?.op ?? 0,
  pc: ({ step }) => step?.pc ?? 0,
  gas: ({ step }) => step?.gas ?? 0,
  refund: ({ step }) => step?.refund ?? 0,
  depth: ({ step }) => (step ? step.depth + 1 : 0),
  cost: ({ fault }) => fault?.cost ?? 0,
  error: ({ fault }) => fault?.message,
  stackLength: ({ step }) => step?.stackLength ?? 0,
  peek({ step }, place) {
    const size = step?.stackLength ?? 0;
    if (typeof place !== "number" || !(place >= 0 && place < size)) {
      throw new TracerScriptError(`tracer accessed out of bound stack: size ${size}, index ${place}`);
    }
    return toText(step?.peek(Math.floor(place)) ?? 0n);
  },
  memoryLength: ({ step }) => step?.memoryBytes ?? 0,
  memory: (shown, start, end) => readMemory(shown, Math.floor(Number(start)), Math.floor(Number(end))),
  memoryWord(shown, offset) {
    const at = Math.floor(Number(offset));
    const available = shown.step?.memoryBytes ?? 0;
    if (!(at >= 0 && at + 32 <= available)) {
      const why = `available ${available}, offset ${at}, size 32`;
      throw new TracerScriptError(`tracer accessed out of bound memory: ${why}`);
    }
    return toText(BigInt(toHex(readMemory(shown, at, at + 32))));
  },
  caller: (shown) => findOwn(shown)?.from ?? "0x",
  self: ({ step }) => step?.address ?? "0x",
  callValue: (shown) => toText(findOwn(shown)?.value ?? 0n),
  callInput({ frames }) {
    const entered = frames.at(-1)?.entered;
    return toBytes(!entered || isCreation(entered.op) ? "0x" : entered.input);
  },
  balance: ({ state }, address) => toText(state?.getAccount(toAddressOf(address))?.balance ?? 0n),
  nonce: ({ state }, address) => Number(state?.getAccount(toAddressOf(address))?.nonce ?? 0n),
  code: ({ state }, address) => state?.getCode(toAddressOf(address)) ?? new Uint8Array(0),
  slot: ({ state }, address, slot) => state?.getSlot(toAddressOf(address), String(slot) as Hash) ?? toWord(0n),
  exists: ({ state }, address) => state?.getAccount(toAddressOf(address)) !== undefined,
  frameType: ({ frame }) => (frame ? toGethName(frame.op) : ""),
  frameFrom: ({ frame }) => frame?.from ?? "0x",
  frameTo: ({ frame }) => frame?.to ?? `0x${"00".repeat(20)}`,
  frameInput: ({ frame }) => toBytes(frame?.input ?? "0x"),
  frameGas: ({ frame }) => frame?.gas ?? 0,
  frameValue: ({ frame }) => (!frame || frame.op === opcodes.STATICCALL ? undefined : toText(frame.value)),
  leftGasUsed: ({ left }) => left?.gasUsed ?? 0,
  leftOutput: ({ left }) => toBytes(left?.output ?? "0x"),
  leftError: ({ left }) => left?.error,
  isPrecompile: ({ isPrecompile }, address) => isPrecompile(toAddressOf(address)),
  created: (_, from, nonce) => toCreateAddress(toAddressOf(from), BigInt(Math.max(0, Math.floor(Number(nonce)) || 0))),
};

/** Throws TracerScriptError if the script asks for something that doesn't exist. */
export function answer(shown: Shown, name: string, args: readonly (number | string)[]): HostValue {
  if (name === "created2") {
    const [from, salt, code] = args.map(String) as Hex[];
    return toCreate2Address(from!, salt!, toBytes(code!));
  }
  const query = Object.hasOwn(queries, name) ? queries[name] : undefined;
  if (!query) throw new TracerScriptError(`there is no ${name}`);
  return query(shown, args[0], args[1]);
}
