/**
 * The JavaScript that runs in the sandbox before a tracer: geth's global functions and the objects that geth passes to
 * tracers. Everything about the traced run comes from one function, host(name, ...), which only returns values.
 */

/** The source of a function whose two parameters are the host function and the names of the opcodes. */
export const prelude = `(host, names) => {
  "use strict";

  // The big integers that geth gives to tracers. They have the API of the big-integer library, but use the engine's own
  // BigInt.
  const parse = (value, base = 10) => {
    if (value instanceof Big) return value.value;
    if (value === undefined) return 0n;
    if (typeof value !== "string" || base === 10) return BigInt(value);
    const isNegative = value.startsWith("-");
    let result = 0n;
    for (const digit of value.replace(/^-/, "")) result = result * BigInt(base) + BigInt(parseInt(digit, base));
    return isNegative ? -result : result;
  };
  class Big {
    constructor(value) { this.value = value; }
    toString(base = 10) { return this.value.toString(base); }
    toJSON() { return this.toString(); }
    toJSNumber() { return Number(this.value); }
    valueOf() { return Number(this.value); }
    divmod(other) { return { quotient: this.divide(other), remainder: this.mod(other) }; }
    bitLength() { return big(this.value.toString(2).replace("-", "").length); }
  }
  const big = (value, base) => new Big(parse(value, base));
  const methods = (table, toResult) => {
    for (const [list, run] of table) {
      for (const name of list.split(" ")) {
        Big.prototype[name] = function (...given) { return toResult(run(this.value, ...given.map((each) => parse(each)))); };
      }
    }
  };
  const toSign = (a, b) => (a < b ? -1 : a > b ? 1 : 0);
  const abs = (a) => (a < 0n ? -a : a);
  methods([
    ["add plus", (a, b) => a + b], ["subtract minus", (a, b) => a - b], ["multiply times", (a, b) => a * b],
    ["divide over", (a, b) => a / b], ["mod remainder", (a, b) => a % b], ["pow", (a, b) => a ** b],
    ["and", (a, b) => a & b], ["or", (a, b) => a | b], ["xor", (a, b) => a ^ b], ["not", (a) => ~a],
    ["shiftLeft", (a, b) => a << b], ["shiftRight", (a, b) => a >> b],
    ["abs", abs], ["negate", (a) => -a], ["square", (a) => a * a], ["next", (a) => a + 1n], ["prev", (a) => a - 1n],
  ], (value) => new Big(value));
  methods([
    ["compare compareTo", toSign], ["compareAbs", (a, b) => toSign(abs(a), abs(b))],
    ["equals eq", (a, b) => a === b], ["notEquals neq", (a, b) => a !== b],
    ["lesser lt", (a, b) => a < b], ["lesserOrEquals leq", (a, b) => a <= b],
    ["greater gt", (a, b) => a > b], ["greaterOrEquals geq", (a, b) => a >= b],
    ["isZero", (a) => a === 0n], ["isUnit", (a) => abs(a) === 1n], ["isEven", (a) => a % 2n === 0n],
    ["isOdd", (a) => a % 2n !== 0n], ["isNegative", (a) => a < 0n], ["isPositive", (a) => a >= 0n],
  ], (value) => value);
  Object.assign(big, {
    zero: big(0), one: big(1), minusOne: big(-1),
    isInstance: (value) => value instanceof Big,
    max: (a, b) => (parse(a) > parse(b) ? big(a) : big(b)),
    min: (a, b) => (parse(a) < parse(b) ? big(a) : big(b)),
  });

  const digits = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));
  const toHex = (bytes) => {
    let text = "0x";
    for (const byte of toBuffer(bytes, false)) text += digits[byte];
    return text;
  };
  const fromHex = (text) => {
    let hex = text.replace(/^0x/i, "");
    if (hex.length % 2 === 1) hex = "0" + hex;
    return Uint8Array.from({ length: hex.length / 2 }, (_, index) => parseInt(hex.slice(2 * index, 2 * index + 2), 16));
  };
  const toBuffer = (value, mayBeText) => {
    if (value instanceof Uint8Array) return value;
    if (Array.isArray(value)) return Uint8Array.from(value);
    if (mayBeText && typeof value === "string") return fromHex(value);
    throw new TypeError("invalid buffer type");
  };
  // Keeps the last bytes if there are too many, and puts zeros in front if there are too few.
  const fit = (value, length, mayBeText = true) => {
    const bytes = toBuffer(value, mayBeText);
    const fitted = new Uint8Array(length);
    fitted.set(bytes.subarray(Math.max(0, bytes.length - length)), Math.max(0, length - bytes.length));
    return fitted;
  };
  const bytes = (...query) => new Uint8Array(host(...query));
  const number = (...query) => big(host(...query));
  const account = (value) => toHex(fit(value, 20, false));

  Object.assign(globalThis, {
    bigInt: big,
    toHex: (value) => toHex(value),
    toWord: (value) => fit(value, 32),
    toAddress: (value) => fit(value, 20),
    toContract: (from, nonce) => fromHex(host("created", toHex(fit(from, 20)), nonce)),
    toContract2: (from, salt, code) =>
      fromHex(host("created2", toHex(fit(from, 20)), toHex(fit(salt, 32)), toHex(toBuffer(code, true)))),
    isPrecompiled: (value) => host("isPrecompile", toHex(fit(value, 20))),
    slice: (value, start, end) => {
      const all = toBuffer(value, false);
      if (start >= 0 && start <= end && end <= all.length) return all.slice(start, end);
      throw new RangeError(
        "Tracer accessed out of bound memory: available " + all.length + ", offset " + start + ", size " + (end - start));
    },
  });

  const log = {
    op: {
      toNumber: () => host("op"),
      toString: () => names[host("op")],
      isPush: () => host("op") >= 0x5f && host("op") <= 0x7f,
    },
    stack: { peek: (place) => number("peek", place), length: () => host("stackLength") },
    memory: {
      slice: (start, end) => bytes("memory", start, end),
      getUint: (offset) => number("memoryWord", offset),
      length: () => host("memoryLength"),
    },
    contract: {
      getCaller: () => fromHex(host("caller")),
      getAddress: () => fromHex(host("self")),
      getValue: () => number("callValue"),
      getInput: () => bytes("callInput"),
    },
    getPC: () => host("pc"),
    getGas: () => host("gas"),
    getCost: () => host("cost"),
    getDepth: () => host("depth"),
    getRefund: () => host("refund"),
    getError: () => host("error"),
  };
  const db = {
    getBalance: (address) => number("balance", account(address)),
    getNonce: (address) => host("nonce", account(address)),
    getCode: (address) => bytes("code", account(address)),
    getState: (address, slot) => fromHex(host("slot", account(address), toHex(fit(slot, 32, false)))),
    exists: (address) => host("exists", account(address)),
  };
  const frame = {
    getType: () => host("frameType"),
    getFrom: () => fromHex(host("frameFrom")),
    getTo: () => fromHex(host("frameTo")),
    getInput: () => bytes("frameInput"),
    getGas: () => host("frameGas"),
    getValue: () => {
      const value = host("frameValue");
      return value === undefined ? undefined : big(value);
    },
  };
  const left = {
    getGasUsed: () => host("leftGasUsed"),
    getOutput: () => bytes("leftOutput"),
    getError: () => host("leftError"),
  };
  const toContext = (text) => {
    const { bytes: buffers, numbers, ...context } = JSON.parse(text);
    for (const [name, hex] of Object.entries(buffers)) context[name] = fromHex(hex);
    for (const [name, decimal] of Object.entries(numbers)) context[name] = big(decimal);
    return context;
  };

  const wire = (tracer) => {
    const has = (name) => typeof Object(tracer)[name] === "function";
    for (const name of ["result", "fault"]) {
      if (!has(name)) throw new TypeError("trace object must expose a function " + name + "()");
    }
    if (has("enter") !== has("exit")) {
      throw new TypeError("trace object must expose either both or none of enter() and exit()");
    }
    return {
      hasSteps: has("step"),
      hasFrames: has("enter"),
      setup: (config) => { if (has("setup")) tracer.setup(config); },
      step: () => { tracer.step(log, db); },
      fault: () => { tracer.fault(log, db); },
      enter: () => { tracer.enter(frame); },
      exit: () => { tracer.exit(left); },
      result: (context) => JSON.stringify(tracer.result(toContext(context), db)) ?? "null",
    };
  };
  return wire;
}`;
