/**
 * node --import ./server/bin/typescript.mjs server/node/testing/writeKeptData.ts: writes
 * server/node/testing/keptData/format-N.sqlite.gz, where N is the format of this version's database. Run it once for
 * each new format, and never change an older file.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import Database from "better-sqlite3";
import { keptFolder, openKeptNode } from "@/server/node/testing/keptNode";
import { FORMAT } from "@/server/storage/schema";

const data = mkdtempSync(join(tmpdir(), "tollscan-kept-"));
const node = await openKeptNode(data);
await node.send(7n);
const paid = await node.pay();
await node.send(8n);
await node.close();
// Puts the whole database into one file, without a separate write-ahead log.
const whole = join(data, "whole.sqlite");
const database = new Database(join(data, "local.sqlite"));
database.exec(`vacuum into '${whole}'`);
database.close();
writeFileSync(join(keptFolder, `format-${FORMAT}.sqlite.gz`), gzipSync(readFileSync(whole), { level: 9 }));
rmSync(data, { recursive: true, force: true });
process.stdout.write(`${JSON.stringify(paid)}\n`);
