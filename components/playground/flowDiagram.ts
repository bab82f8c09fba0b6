/**
 * Lays out an exchange as a sequence diagram: one row per message or local step. Gaps between rows are proportional to
 * time, unless they would be too small for a label or leave more than one row empty.
 */
import type { Lane } from "@/lib/payflow/flow";
import { callTitles } from "./callTitles";
import type { FlowEntry } from "./flowEntries";

export const lanes: readonly Lane[] = ["client", "server", "facilitator", "chain"];

/**
 * - `call`: a call that has a reply.
 * - `lost`: a call without a reply, because the exchange stopped right after it.
 */
type Shape = "call" | "lost" | "reply" | "oneWay" | "local";
type Route = { from: Lane; to: Lane; shape: Shape };

/** `isExpected` marks a step that has not happened yet. */
export type DiagramEntry = FlowEntry & { isExpected?: true };

export type DiagramRow = Route & {
  key: string;
  /** The message's entry, followed by the entries for its headers. */
  entries: readonly [DiagramEntry, ...DiagramEntry[]];
  /** The space above the row, in addition to the minimum gap. */
  extraPx: number;
  /** The time that the space stands for, unless the row's own duration says it. */
  pauseMs: number | undefined;
  /** The time from the call to its reply, or from the wallet's first prompt to the signature. */
  tookMs: number | undefined;
  /** The lanes, except the client's, that have an open call before this row's arrow. */
  busy: readonly Lane[];
  /** The same after the arrow. */
  busyAfter: readonly Lane[];
};

/** The smallest distance between two rows. */
const minGapPx = 36;
/** The smallest and the largest space in addition to that distance. It has a label, and isn't higher than a row. */
const minExtraPx = 22;
const maxExtraPx = 44;
/** The height that a whole exchange would have if gaps had no minimum. */
const scalePx = 240;

const routes: Partial<Record<FlowEntry["kind"], Route>> = {
  request: { from: "client", to: "server", shape: "call" },
  response: { from: "server", to: "client", shape: "reply" },
  funded: { from: "chain", to: "client", shape: "oneWay" },
  approval: { from: "client", to: "chain", shape: "oneWay" },
  paidRequest: { from: "client", to: "server", shape: "call" },
  paidResponse: { from: "server", to: "client", shape: "reply" },
  facilitatorRequest: { from: "server", to: "facilitator", shape: "call" },
  facilitatorAnswer: { from: "facilitator", to: "server", shape: "reply" },
  verifyCall: { from: "server", to: "facilitator", shape: "call" },
  settleCall: { from: "server", to: "facilitator", shape: "call" },
  settleReply: { from: "facilitator", to: "server", shape: "reply" },
  settle: { from: "facilitator", to: "chain", shape: "call" },
  mined: { from: "chain", to: "facilitator", shape: "reply" },
};

/** Steps that show a response's headers. They share a row with the response. */
const headerKinds = new Set<FlowEntry["kind"]>(["paymentRequired", "refusal", "settlement"]);

function toRoute({ kind, lane }: FlowEntry): Route {
  if (kind === "verify" && lane === "facilitator") return { from: "facilitator", to: "server", shape: "reply" };
  return routes[kind] ?? { from: lane, to: lane, shape: "local" };
}

/** The rows of all entries that have a time. */
export function toDiagramRows(entries: readonly DiagramEntry[]): DiagramRow[] {
  const groups = groupHeaders(entries.filter(({ offsetMs }) => offsetMs !== undefined));
  const spanMs = Math.max(1, ...groups.map(([{ offsetMs = 0 }]) => offsetMs));
  // The scale isn't known until the exchange has ended.
  const isOver = groups.every(([{ isExpected }]) => !isExpected);
  const seen: Partial<Record<FlowEntry["kind"], number>> = {};
  let open: { from: Lane; to: Lane; atMs: number | undefined }[] = [];
  let previousMs = 0;
  let isAfterUntimed = false;
  let promptedMs: number | undefined;

  return groups.map((group, index) => {
    const [{ kind, offsetMs = 0, isUntimed = false }] = group;
    const route = markLost(toRoute(group[0]), groups[index + 1]?.[0]);
    const busy = listBusy(open);
    const call = route.shape === "reply" ? findCall(open, route) : undefined;
    const startMs = kind === "signature" ? promptedMs : call?.atMs;
    const tookMs = startMs === undefined || isUntimed ? undefined : Math.max(0, offsetMs - startMs);
    // A time that an untimed row divides isn't shown as a gap, because nobody knows how it is divided.
    const gapMs = isUntimed || isAfterUntimed ? 0 : Math.max(0, offsetMs - previousMs);
    const wantedPx = isOver ? (scalePx * gapMs) / spanMs - minGapPx : 0;
    const extraPx = wantedPx > 0 ? Math.round(Math.min(maxExtraPx, Math.max(minExtraPx, wantedPx))) : 0;

    // If one payment needs several signatures, the time starts at the first prompt.
    if (kind === "typedData") promptedMs ??= offsetMs;
    if (kind === "signature") promptedMs = undefined;
    if (call) open = open.filter((each) => each !== call);
    if (route.shape === "call")
      open = [...open, { from: route.from, to: route.to, atMs: isUntimed ? undefined : offsetMs }];
    previousMs = Math.max(previousMs, offsetMs);
    isAfterUntimed = isUntimed;
    seen[kind] = (seen[kind] ?? 0) + 1;
    return {
      ...route,
      key: `${kind} ${seen[kind]}`,
      entries: group,
      extraPx,
      pauseMs: extraPx > 0 && gapMs !== tookMs ? gapMs : undefined,
      tookMs,
      busy,
      busyAfter: listBusy(open),
    };
  });
}

function listBusy(open: readonly { from: Lane; to: Lane }[]): Lane[] {
  return lanes.filter((lane) => lane !== "client" && open.some(({ from, to }) => from === lane || to === lane));
}

function markLost(route: Route, next: DiagramEntry | undefined): Route {
  return route.shape === "call" && next?.kind === "stopped" ? { ...route, shape: "lost" } : route;
}

function findCall<Call extends { from: Lane; to: Lane }>(open: readonly Call[], { from, to }: Route): Call | undefined {
  return open.findLast((call) => call.from === to && call.to === from);
}

function groupHeaders(entries: readonly DiagramEntry[]): [DiagramEntry, ...DiagramEntry[]][] {
  const groups: [DiagramEntry, ...DiagramEntry[]][] = [];
  for (const entry of entries) {
    const last = groups.at(-1);
    const isHeader = headerKinds.has(entry.kind) && last && toRoute(last[0]).shape === "reply";
    if (isHeader) last.push(entry);
    else groups.push([entry]);
  }
  return groups;
}

function expect(kind: FlowEntry["kind"], lane: Lane, offsetMs: number, title: string): DiagramEntry {
  return { kind, lane, title: [title], offsetMs, failed: false, parts: [], isExpected: true };
}

/** The steps that every payment has, with typical times on a local chain. */
export const expectedEntries: readonly DiagramEntry[] = [
  expect("request", "client", 0, "Request the resource"),
  expect("response", "server", 12, "402 with the price"),
  expect("signature", "client", 35, "Sign the payment"),
  expect("paidRequest", "client", 38, "Retry with the payment"),
  expect("verifyCall", "server", 42, callTitles.verifyCall),
  expect("verify", "facilitator", 52, "The payment is valid"),
  expect("settleCall", "server", 56, callTitles.settleCall),
  expect("settle", "facilitator", 60, "Send the settlement"),
  expect("mined", "chain", 90, "Confirm it in a block"),
  expect("settleReply", "facilitator", 93, callTitles.settleReply),
  expect("paidResponse", "server", 96, "200 with the resource"),
];

/** Adds the expected steps that have not happened yet, each at its place in the order. */
export function withExpected(entries: readonly DiagramEntry[]): DiagramEntry[] {
  const toOrder = ({ kind }: FlowEntry) => expectedEntries.findIndex((expected) => expected.kind === kind);
  const merged: DiagramEntry[] = [...entries];
  for (const [order, expected] of expectedEntries.entries()) {
    if (entries.some(({ kind }) => kind === expected.kind)) continue;
    const later = merged.findIndex((entry) => toOrder(entry) > order);
    const at = later < 0 ? merged.length : later;
    const sinceMs = (expected.offsetMs ?? 0) - (expectedEntries[order - 1]?.offsetMs ?? 0);
    const offsetMs = Math.min((merged[at - 1]?.offsetMs ?? 0) + sinceMs, merged[at]?.offsetMs ?? Number.MAX_VALUE);
    merged.splice(at, 0, { ...expected, offsetMs });
  }
  return merged;
}
