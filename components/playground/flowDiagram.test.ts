/** Tests the layout of the sequence diagram: rows, arrows, gaps to scale, durations and busy lanes. */
import { expect, it } from "vitest";
import type { Lane } from "@/lib/payflow/flow";
import { type DiagramEntry, expectedEntries, toDiagramRows, withExpected } from "./flowDiagram";

function entry(kind: DiagramEntry["kind"], lane: Lane, offsetMs: number | undefined): DiagramEntry {
  return { kind, lane, title: [kind], offsetMs, failed: false, parts: [] };
}

const exchange: DiagramEntry[] = [
  entry("request", "client", 0),
  entry("response", "server", 10),
  entry("paymentRequired", "server", 10),
  entry("choice", "client", 11),
  entry("typedData", "client", 12),
  entry("signature", "client", 20),
  entry("paidRequest", "client", 21),
  { ...entry("verifyCall", "server", 30), isUntimed: true },
  entry("verify", "facilitator", 30),
  { ...entry("settleCall", "server", 40), isUntimed: true },
  entry("settle", "facilitator", 40),
  entry("mined", "chain", 640),
  { ...entry("settleReply", "facilitator", 640), isUntimed: true },
  entry("paidResponse", "server", 1000),
  entry("settlement", "facilitator", 1000),
  entry("content", "client", 1001),
  entry("final", "chain", undefined),
];

it("draws each message from its sender to its receiver, and other steps in one lane", () => {
  const arrows = { call: "→", lost: "×", reply: "⇢", oneWay: "→", local: "·" };
  expect(toDiagramRows(exchange).map(({ key, from, to, shape }) => `${key}: ${from} ${arrows[shape]} ${to}`)).toEqual([
    "request 1: client → server",
    "response 1: server ⇢ client",
    "choice 1: client · client",
    "typedData 1: client · client",
    "signature 1: client · client",
    "paidRequest 1: client → server",
    "verifyCall 1: server → facilitator",
    "verify 1: facilitator ⇢ server",
    "settleCall 1: server → facilitator",
    "settle 1: facilitator → chain",
    "mined 1: chain ⇢ facilitator",
    "settleReply 1: facilitator ⇢ server",
    "paidResponse 1: server ⇢ client",
    "content 1: client · client",
  ]);
});

it("explains that the seller asks for the settlement and gets its result before it responds", () => {
  const rows = toDiagramRows(expectedEntries).slice(-5);
  expect(rows.map(({ from, to, shape, busyAfter }) => [`${from} ${shape} ${to}`, busyAfter.join(" ")])).toEqual([
    ["server call facilitator", "server facilitator"],
    ["facilitator call chain", "server facilitator chain"],
    ["chain reply facilitator", "server facilitator"],
    ["facilitator reply server", "server"],
    ["server reply client", ""],
  ]);
});

it("draws a call that got no reply as lost, and its receiver as idle", () => {
  const rows = toDiagramRows([entry("request", "client", 0), entry("stopped", "client", 3)]);
  expect(rows.map(({ shape }) => shape)).toEqual(["lost", "local"]);
  expect(rows.every(({ busy }) => busy.length === 0)).toBe(true);
});

it("draws a response's headers on the response's row", () => {
  const [, response] = toDiagramRows(exchange);
  expect(response?.entries.map(({ kind }) => kind)).toEqual(["response", "paymentRequired"]);
});

it("doesn't draw state that was read after the exchange", () => {
  expect(toDiagramRows(exchange).some(({ entries }) => entries[0].kind === "final")).toBe(false);
});

function listGaps(entries: readonly DiagramEntry[]): string[] {
  return toDiagramRows(entries).flatMap(({ key, extraPx, pauseMs }) =>
    extraPx === 0 ? [] : [`${key}: ${extraPx} px${pauseMs === undefined ? "" : ` for ${pauseMs} ms`}`],
  );
}

it("makes a gap proportional to its time, within limits, and says times that no duration says", () => {
  const timed = exchange.filter(({ isUntimed }) => !isUntimed);
  const steady = timed.map((each) => (each.kind === "settle" ? { ...each, offsetMs: 190 } : each));
  // A gap's height is its share of the exchange's 1001 ms, times 240 px, of which every row has 36 px.
  expect(listGaps(steady)).toEqual([
    "settle 1: 22 px for 160 ms",
    // The row's duration is the same time.
    "mined 1: 44 px",
    "paidResponse 1: 44 px for 360 ms",
  ]);
  const proportional = steady.map((each) => (each.kind === "settle" ? { ...each, offsetMs: 310 } : each));
  expect(listGaps(proportional)).toEqual([
    "settle 1: 31 px for 280 ms",
    "mined 1: 43 px",
    "paidResponse 1: 44 px for 360 ms",
  ]);
});

it("draws no gaps while steps are still to come", () => {
  const started = [entry("request", "client", 0), entry("choice", "client", 1000)];
  expect(listGaps(started)).toEqual(["choice 1: 44 px for 1000 ms"]);
  expect(listGaps(withExpected(started))).toEqual([]);
});

it("shows neither a gap nor a duration for a time that an untimed row divides", () => {
  // Only the block's row and the one before it are timed.
  expect(listGaps(exchange)).toEqual(["mined 1: 44 px"]);
  expect(toDiagramRows(exchange).find(({ key }) => key === "verify 1")?.tookMs).toBeUndefined();
});

it("never goes back in time, even if clocks differ", () => {
  const rows = toDiagramRows([
    entry("request", "client", 0),
    entry("settle", "facilitator", 90),
    entry("mined", "chain", 40),
  ]);
  expect(rows.map(({ extraPx, tookMs }) => [extraPx, tookMs])).toEqual([
    [0, undefined],
    [44, undefined],
    [0, 0],
  ]);
});

it("measures a reply from its call, and a signature from its prompt", () => {
  const took = toDiagramRows(exchange).flatMap(({ key, tookMs }) =>
    tookMs === undefined ? [] : [`${key}: ${tookMs}`],
  );
  expect(took).toEqual(["response 1: 10", "signature 1: 8", "mined 1: 600", "paidResponse 1: 979"]);
});

it("marks a party busy while it has an open call", () => {
  const rows = toDiagramRows(exchange);
  expect(rows.map(({ busyAfter }) => busyAfter)).toEqual([...rows.slice(1).map(({ busy }) => busy), []]);
  const busy = rows.map(({ key, busy }) => `${key}: ${busy.join(" ")}`);
  expect(busy).toEqual([
    "request 1: ",
    "response 1: server",
    "choice 1: ",
    "typedData 1: ",
    "signature 1: ",
    "paidRequest 1: ",
    "verifyCall 1: server",
    "verify 1: server facilitator",
    "settleCall 1: server",
    "settle 1: server facilitator",
    "mined 1: server facilitator chain",
    "settleReply 1: server facilitator",
    "paidResponse 1: server",
    "content 1: ",
  ]);
});

it("draws a check that the seller itself failed in the seller's lane", () => {
  const [row] = toDiagramRows([entry("verify", "server", 0)]);
  expect(row).toMatchObject({ from: "server", to: "server", shape: "local" });
});

it("times all signatures of a payment from the first prompt", () => {
  const twoSignatures = [
    entry("typedData", "client", 10),
    entry("typedData", "client", 30),
    entry("signature", "client", 50),
    entry("typedData", "client", 60),
    entry("signature", "client", 65),
  ];
  const signed = toDiagramRows(twoSignatures).filter(({ key }) => key.startsWith("signature"));
  expect(signed.map(({ tookMs }) => tookMs)).toEqual([40, 5]);
});

it("keeps the rows of a repeated request apart", () => {
  const twice = [...exchange.slice(0, -1), entry("paidRequest", "client", 1100), entry("paidResponse", "server", 1110)];
  const keys = toDiagramRows(twice).map(({ key }) => key);
  expect(new Set(keys).size).toBe(keys.length);
  expect(keys.slice(-2)).toEqual(["paidRequest 2", "paidResponse 2"]);
});

it("adds the expected steps after those that have happened", () => {
  const kinds = (entries: readonly DiagramEntry[]) =>
    withExpected(entries).map(({ kind, isExpected }) => `${kind}${isExpected ? "?" : ""}`);
  expect(kinds([])).toEqual(expectedEntries.map(({ kind }) => `${kind}?`));
  expect(kinds(exchange.slice(0, 5))).toEqual([
    "request",
    "response",
    "paymentRequired",
    "choice",
    "typedData",
    "signature?",
    "paidRequest?",
    "verifyCall?",
    "verify?",
    "settleCall?",
    "settle?",
    "mined?",
    "settleReply?",
    "paidResponse?",
  ]);
});

it("adds missing steps before the response that they led to", () => {
  const unread = exchange.filter(({ kind, offsetMs }) => !["settle", "mined"].includes(kind) && offsetMs !== undefined);
  const merged = withExpected(unread);
  expect(merged.map(({ kind }) => kind).slice(7)).toEqual([
    "verifyCall",
    "verify",
    "settleCall",
    "settle",
    "mined",
    "settleReply",
    "paidResponse",
    "settlement",
    "content",
  ]);
  const times = merged.map(({ offsetMs = 0 }) => offsetMs);
  expect(times).toEqual([...times].sort((a, b) => a - b));
});
