/**
 * Imports another client's chain (a geth genesis and an RLP file of blocks) into a new data folder for `TOLLSCAN_DATA=…
 * npm start`. Executes every block and fails at the first one that doesn't match its header. To resume an interrupted
 * import, run the same command again.
 */
import { copyFileSync, existsSync, readFileSync, renameSync } from "node:fs";
import { resolve } from "node:path";
import { importBlocks } from "@/server/chain/import";
import { loadConfig } from "@/server/config/config";
import { toGenesisFile, toImportedNetwork } from "@/server/config/importedNetwork";
import { decodeBlock } from "@/server/ethereum/codec/block";
import type { Block } from "@/server/ethereum/types";
import { openChain } from "@/server/node/openChain";
import { importCommand } from "@/server/node/subcommands";
import { makeFolder } from "@/server/storage/makeFolder";
import { createProgress, readOptions, refuse, runProgram } from "@/server/tools/program";
import { readRlpItems } from "@/server/tools/readRlpItems";

function readArguments(): { genesis: string; blocks: string; data: string } {
  const { genesis = "", blocks = "", data = "" } = readOptions(importCommand);
  return { genesis: resolve(genesis), blocks: resolve(blocks), data: resolve(data) };
}

async function* readBlocks(file: string): AsyncGenerator<Block> {
  const progress = createProgress();
  let count = 0;
  for await (const item of readRlpItems(file)) {
    yield decodeBlock(item);
    count++;
    progress(`${count} blocks read`);
  }
}

async function main(): Promise<void> {
  const { genesis, blocks, data } = readArguments();
  if (!existsSync(blocks)) refuse(`The blocks file ${blocks} does not exist.`);
  const network = toImportedNetwork(genesis);
  const kept = toGenesisFile(data);
  if (existsSync(kept) && readFileSync(kept, "utf8") !== readFileSync(genesis, "utf8")) {
    refuse(`The folder ${data} already contains a chain with a different genesis; choose another folder.`);
  }
  const config = loadConfig({ ...process.env, TOLLSCAN_DATA: data }, process.cwd());
  makeFolder(data);
  const { chain, close } = await openChain(config, network);
  try {
    // Copies to a temporary file and renames it, so that the folder never contains half a genesis.
    copyFileSync(genesis, `${kept}.new`);
    renameSync(`${kept}.new`, kept);
    const added = await importBlocks(chain, readBlocks(blocks));
    const head = chain.head();
    process.stdout.write(`${added} blocks imported; the head is block ${head.number}, ${head.hash}.\n`);
    process.stdout.write(`Serve it with tollscan --data ${data} or TOLLSCAN_DATA=${data} npm start.\n`);
  } finally {
    await close();
  }
}

await runProgram(main);
