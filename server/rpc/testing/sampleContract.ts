/**
 * A small contract for tests, assembled by hand so that its bytes never change. Without input it reverts with the
 * reason "empty"; otherwise it stores the first word of the input in slot 0, logs it and returns it.
 */
import type { Hex } from "@/server/ethereum/types";

const pad = (text: string) => text.padEnd(64, "0");
const ascii = (text: string) => Buffer.from(text).toString("hex");

export const storedTopic: Hex = `0x${pad(ascii("stored"))}`;

const revert = [
  `7f${pad("08c379a0")}5f52`, // mstore(0, Error(string) selector)
  "6020600452", // mstore(4, 32)
  "6005602452", // mstore(36, 5)
  `7f${pad(ascii("empty"))}604452`, // mstore(68, "empty")
  "60645ffd", // revert(0, 100)
].join("");
const work = [
  "5b5f35805f555f52", // sstore(0, calldataload(0)); mstore(0, the same)
  `337f${storedTopic.slice(2)}60205fa2`, // log2(0, 32, "stored", caller)
  "60205ff3", // return(0, 32)
].join("");
const head = (target: number) => `3660${target.toString(16).padStart(2, "0")}57`; // if calldatasize jump(target)
const runtime = head((head(0).length + revert.length) / 2) + revert + work;

const length = (runtime.length / 2).toString(16).padStart(2, "0");
/** codecopy(0, 9, length); return(0, length) */
export const sampleInitCode: Hex = `0x60${length}8060095f395ff3${runtime}`;
export const sampleRuntime: Hex = `0x${runtime}`;
