import type { WireCallFrame } from "@/lib/rpc/traceShapes";

/**
 * Finds the frame that caused a failure. From each failed frame, it goes on to the call whose revert data the frame
 * passed on or, if there is none, to the frame's last call if that failed. An earlier failure that the frame caught is
 * not reported.
 */
export function findFailing(root: WireCallFrame): { frame: WireCallFrame; id: string } | undefined {
  if (root.error === undefined) return undefined;
  let frame = root;
  let id = "0";
  for (;;) {
    const calls: WireCallFrame[] = frame.calls ?? [];
    const output = frame.output ?? "0x";
    let index = calls.findLastIndex((call) => call.error !== undefined && output !== "0x" && call.output === output);
    if (index < 0 && calls.at(-1)?.error !== undefined) index = calls.length - 1;
    if (index < 0) return { frame, id };
    frame = calls[index]!;
    id = `${id}.${index}`;
  }
}
