/**
 * Generates random EVM programs that run for a long time. They never underflow the stack, and they use the addresses of
 * existing contracts and accounts.
 */
import type { Address, Hex } from "@/server/ethereum/types";
import type { Random } from "@/server/rpc/testing/malformed";

const hex = (value: number, bytes = 1) => value.toString(16).padStart(bytes * 2, "0");
const push = (digits: string) => hex(0x5f + digits.length / 2) + digits;
const pushNumber = (value: number) => push(hex(value, value < 256 ? 1 : value < 65_536 ? 2 : 4));

/** Opcodes, grouped by the number of words that they pop. Each opcode pushes one word. */
const unary = ["15", "19", "1e", "35", "51"];
const binary = "01 02 03 04 05 06 07 0a 0b 10 11 12 13 14 16 17 18 1a 1b 1c 1d".split(" ");
const ternary = ["08", "09"];
const environment = "30 32 33 34 36 38 3a 3d 41 42 43 45 46 47 48 4a 58 59 5a".split(" ");
const ofAddress = ["31", "3b", "3f"];
/** CALL, CALLCODE, DELEGATECALL and STATICCALL, and whether each takes a value. */
const calls = [
  ["f1", true],
  ["f2", true],
  ["f4", false],
  ["fa", false],
] as const;
/** Init codes of at most one word. The first deploys one byte of code. The others fail or deploy no code. */
const initCodes = ["605f5f5360015ff3", "5f5ffd", "00", "fe", "60ef5f5360015ff3"];

/** Creates a program of random length that may read and call `addresses`. */
export function createRandomCode(random: Random, addresses: readonly Address[]): Hex {
  const address = () => push(random.pick(addresses).slice(2));
  const small = () => pushNumber(random.int(random.pick([4, 96, 300])));
  const slot = () => pushNumber(random.int(6));
  const value = () =>
    random.pick([
      () => "5f",
      () => pushNumber(random.int(3)),
      () => pushNumber(random.int(2 ** 32)),
      () => push("ff".repeat(32)),
      () => push(`8${"0".repeat(63)}`),
      () => address(),
      () => `${pushNumber(random.int(64))}35`,
    ])();
  const word = (): string =>
    random.pick([
      value,
      value,
      () => random.pick(environment),
      () => value() + random.pick(unary.slice(0, 4)),
      () => `${small()}51`,
      () => value() + value() + random.pick(binary),
      () => value() + value() + value() + random.pick(ternary),
      () => `${slot()}54`,
      () => `${slot()}5c`,
      () => address() + random.pick(ofAddress),
      () => `${small()}${small()}20`,
    ])();
  const call = () => {
    const [code, hasValue] = random.pick(calls);
    const gas = random.pick(["5a", pushNumber(random.int(60_000))]);
    const paid = hasValue ? random.pick(["5f", "5f", "6001"]) : "";
    return small() + small() + small() + small() + paid + address() + gas + code;
  };
  const create = () => {
    const init = random.pick(initCodes);
    const store = `${push(init.padEnd(64, "0"))}5f52`;
    const length = pushNumber(init.length / 2);
    return random() < 0.5 ? `${store}${length}5f${random.pick(["5f", "6001"])}f0` : `${store}${value()}${length}5f5ff5`;
  };
  const statement = (): string =>
    random.pick([
      () => `${word()}${small()}52`,
      () => `${word()}${small()}53`,
      () => `${word()}${slot()}55`,
      () => `${word()}${slot()}55`,
      () => `${word()}${slot()}5d`,
      () => `${small()}${small()}${small()}5e`,
      () => `${small()}${small()}${small()}${random.pick(["37", "39"])}`,
      () => `${small()}${small()}${small()}${address()}3c`,
      () => `${word()}${word()}${word()}${word()}${small()}${small()}${hex(0xa0 + random.int(5))}`,
      () => `${call()}50`,
      () => `${call()}${slot()}55`,
      () => `${call()}3d5f5f3e50`,
      () => `${create()}${slot()}55`,
      () => `${word()}50`,
    ])();
  const ending = () =>
    random.pick([
      () => "00",
      () => `${small()}${small()}f3`,
      () => `${small()}${small()}f3`,
      () => `${small()}${small()}fd`,
      () => "fe",
      () => `${address()}ff`,
      () => "50",
    ])();
  let code = "";
  for (let left = 1 + random.int(14); left > 0; left--) code += statement();
  return `0x${code}${ending()}`;
}

/** Returns init code that deploys the runtime code. */
export function toInitCode(runtime: Hex): Hex {
  const length = pushNumber((runtime.length - 2) / 2);
  const prefix = (start: number) => `${length}80${pushNumber(start)}5f395ff3`;
  return `0x${prefix(prefix(0).length / 2)}${runtime.slice(2)}`;
}
