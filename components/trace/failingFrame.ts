import type { WireCallFrame } from "@/lib/rpc/traceShapes";

/**
 * Finds the frame that caused a failure. Starts at the root and follows the failures down the tree: If a frame's revert
 * data came from a failed call, it steps into that call. Otherwise, it steps into the frame's last call if that call
 * failed. Failures that a frame caught are ignored.
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
