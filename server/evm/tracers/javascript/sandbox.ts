/**
 * Runs a tracer's JavaScript in QuickJS, an interpreter in WebAssembly that has its own memory and can reach this
 * process only through the host function. If a script exceeds its time, memory or stack, it ends with an error, or the
 * worker thread ends.
 */
import type { QuickJSContext, QuickJSHandle, QuickJSWASMModule } from "quickjs-emscripten-core";
import { TracerScriptError } from "@/server/ethereum/errors";
import { prelude } from "@/server/evm/tracers/javascript/prelude";
import { toGethName } from "@/server/evm/tracers/step";

/** A value that is passed to the script. Bytes become an ArrayBuffer. */
export type HostValue = number | string | boolean | Uint8Array | undefined;
/** Returns the value that the script asks for. If this function throws, the script ends and can't catch the error. */
export type AskHost = (name: string, ...args: (number | string)[]) => HostValue;

export type Method = "setup" | "step" | "fault" | "enter" | "exit" | "result";

/** A tracer object that runs in its own interpreter. */
export type Script = {
  hasSteps: boolean;
  hasFrames: boolean;
  /** Throws TracerScriptError if the script throws. Rethrows errors from the host function and the time check. */
  call(method: Method, argument?: string): string | undefined;
  close(): void;
};

export type Sandbox = {
  /** Evaluates the tracer's source. Throws TracerScriptError if the source isn't a tracer. */
  start(code: string, ask: AskHost, checkTime: () => void): Script;
  /**
   * Saves the interpreter's memory. The returned function restores it, which undoes everything that the script has done
   * since. Don't call either function while a script runs.
   */
  save(): () => void;
};

/**
 * Memory sizes in pages of 64 KiB. The interpreter's own limit doesn't count its overhead, so the whole memory is
 * limited instead.
 */
const pages = { initial: 256, maximum: 1_024 };
/** Small enough that a script reaches the interpreter's recursion limit before it overflows the thread's stack. */
const stackBytes = 128 << 10;
/** The maximum length of a script's error message, which is sent in a response. */
const longestMessage = 300;

/** Loads a new interpreter, so that different requests don't share memory. */
export async function createSandbox(): Promise<Sandbox> {
  const wasmMemory = new WebAssembly.Memory(pages);
  const [{ newQuickJSWASMModuleFromVariant, newVariant }, { default: variant }] = await Promise.all([
    import("quickjs-emscripten-core"),
    import("@jitl/quickjs-singlefile-mjs-release-sync"),
  ]);
  const quickJs = await newQuickJSWASMModuleFromVariant(newVariant(variant, { wasmMemory }));
  return {
    start: (code, ask, checkTime) => start(quickJs, code, ask, checkTime),
    save() {
      const saved = new Uint8Array(wasmMemory.buffer).slice();
      return () => new Uint8Array(wasmMemory.buffer).set(saved);
    },
  };
}

function start(quickJs: QuickJSWASMModule, code: string, ask: AskHost, checkTime: () => void): Script {
  /**
   * An error from the host function or the time check. The script must not catch it, so this file throws it again after
   * the script has returned.
   */
  let thrown: { error: unknown } | undefined;
  const attempt = <T>(work: () => T): T | undefined => {
    try {
      return work();
    } catch (error) {
      thrown ??= { error };
      return undefined;
    }
  };
  const runtime = quickJs.newRuntime({
    maxStackSizeBytes: stackBytes,
    interruptHandler() {
      attempt(checkTime);
      return thrown !== undefined;
    },
  });
  const context = runtime.newContext();

  /** Runs the work in the interpreter and returns its result. Throws errors from the script or the host. */
  function enter(where: string, work: () => ReturnType<QuickJSContext["evalCode"]>): QuickJSHandle {
    thrown = undefined;
    let result: ReturnType<typeof work>;
    try {
      result = work();
    } catch (error) {
      // The interpreter recursed deeper than the thread's stack allows, so its state is undefined.
      if (!(error instanceof RangeError) && !(error instanceof WebAssembly.RuntimeError)) throw error;
      throw new TracerScriptError(`the tracer exceeded its stack or memory limit${where}`);
    }
    const { thrown: failed } = { thrown: thrown as { error: unknown } | undefined };
    if (failed) {
      result.dispose();
      if (!(failed.error instanceof TracerScriptError)) throw failed.error;
      throw new TracerScriptError(`${failed.error.message}${where}`);
    }
    if (!result.error) return result.value;
    const error = result.error.consume((handle) => toErrorText(context, handle));
    throw new TracerScriptError(`${error}${where}`);
  }

  const host = context.newFunction("host", (...handles) => {
    const [name = "", ...args] = handles.map((handle) =>
      context.typeof(handle) === "number" ? context.getNumber(handle) : context.getString(handle),
    );
    const value = attempt(() => ask(String(name), ...args));
    return thrown ? { error: context.newError("the tracer was stopped") } : toHandle(context, value);
  });
  const names = enter("", () => context.evalCode(JSON.stringify(opcodeNames)));
  const install = enter("", () => context.evalCode(prelude));
  const wire = enter("", () => context.callFunction(install, context.undefined, host, names));
  const tracer = enter("", () => context.evalCode(`(${code}\n)`, "tracer.js"));
  const wired = enter("", () => context.callFunction(wire, context.undefined, tracer));
  const methods = new Map<Method, QuickJSHandle>();
  const getMethod = (name: Method): QuickJSHandle => {
    const known = methods.get(name) ?? context.getProp(wired, name);
    methods.set(name, known);
    return known;
  };
  const has = (name: string) => context.getProp(wired, name).consume((handle) => context.dump(handle) === true);
  return {
    hasSteps: has("hasSteps"),
    hasFrames: has("hasFrames"),
    call(method, argument) {
      const given = argument === undefined ? [] : [context.newString(argument)];
      const where = ` in server-side tracer function '${method}'`;
      const result = enter(where, () => context.callFunction(getMethod(method), context.undefined, ...given));
      for (const handle of given) handle.dispose();
      return result.consume((handle) => (method === "result" ? context.getString(handle) : undefined));
    },
    close() {
      for (const handle of [host, names, install, wire, tracer, wired, ...methods.values()]) handle.dispose();
      context.dispose();
      runtime.dispose();
    },
  };
}

const opcodeNames = Array.from({ length: 256 }, (_, op) => toGethName(op));

function toHandle(context: QuickJSContext, value: HostValue): QuickJSHandle {
  if (value === undefined) return context.undefined;
  if (typeof value === "number") return context.newNumber(value);
  if (typeof value === "string") return context.newString(value);
  if (typeof value === "boolean") return value ? context.true : context.false;
  return context.newArrayBuffer(Uint8Array.from(value).buffer);
}

/** Describes an error as "TypeError: message", and any other thrown value as text. */
function toErrorText(context: QuickJSContext, error: QuickJSHandle): string {
  const shown: unknown = context.dump(error);
  const { name, message } = Object(shown) as { name?: unknown; message?: unknown };
  // If the interpreter is out of memory, it can't convert the error to a string.
  if (shown === "") return "out of memory";
  const text = message === undefined ? String(shown) : `${String(name ?? "Error")}: ${String(message)}`;
  return text.slice(0, longestMessage);
}
