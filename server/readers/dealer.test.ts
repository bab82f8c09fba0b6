/** A dealt connection loses no byte, also of those that were there before it was dealt; one that stays is served here. */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import type { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createListener } from "@/server/http/listener";
import { dealConnections } from "@/server/readers/dealer";
import { keep } from "@/server/readers/testing/kept";

/** Answers what it was sent, and that it was there. */
const program = `
const server = require("node:http").createServer((req, res) => {
  let text = "";
  req.on("data", (chunk) => { text += chunk; });
  req.on("end", () => res.end("there " + text.length));
});
process.on("message", (_message, socket) => {
  server.emit("connection", socket);
  socket.resume();
});
process.send("ready");
`;

const folder = mkdtempSync(join(tmpdir(), "tollscan-dealer-"));
let child: ChildProcess;
beforeAll(async () => {
  const file = join(folder, "there.cjs");
  writeFileSync(file, program);
  child = fork(file, [], { execArgv: [] });
  await once(child, "message");
});
afterAll(async () => {
  child.kill();
  rmSync(folder, { recursive: true, force: true });
});

it("serves every connection whole, wherever it is dealt", async () => {
  const site = {
    findHandler: () => async (request: { body: Uint8Array }) => ({
      status: 200,
      headers: {},
      body: `here ${request.body.length}`,
    }),
  };
  const listener = await createListener({ port: 0, bodyBytes: 1_000_000, site: Promise.resolve(site) });
  let count = 0;
  dealConnections(listener.server, (socket: Socket) => {
    if (count++ % 2 === 0) return false;
    // By now the request has arrived.
    setTimeout(() => child.send("connection", socket), 50);
    return true;
  });
  const lengths = [1, 1_000, 300_000];
  const answers: string[] = [];
  for (const length of lengths) {
    for (let at = 0; at < 2; at++) {
      const kept = keep(listener.port);
      const options = { headers: { "content-type": "application/json" }, body: "x".repeat(length) };
      for (let again = 0; again < 2; again++) {
        answers.push((await kept.send("POST", "/api/rpc", options)).text);
      }
      kept.close();
    }
  }
  const toWords = (length: number) => ["here", "here", "there", "there"].map((place) => `${place} ${length}`);
  expect(answers).toEqual(lengths.flatMap(toWords));
  await listener.close();
});
