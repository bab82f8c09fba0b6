/**
 * Runs a sample of the published state tests, from all files except three. `npm run test:state` runs all tests. The
 * archive isn't part of the project: the tests look for it beside the checkout and are skipped if the archive is
 * missing.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  findMismatch,
  openStateTests,
  readStateTests,
  type StateTest,
  type StateTestFolder,
  stateTestArchive,
} from "@/server/execution/testing/stateTests";
import { onTier } from "@/server/execution/testing/tiers";

const casesPerFile = 3;
/**
 * Files that are left out because all of their cases take seconds on any engine. For example, they run billions of
 * rounds, or compute a hundred thousand hashes of 50 kB.
 */
const isLeftOut = (file: string) => /Blake2f_MaxRounds|loopMul|static_Call50000_sha256/.test(file);

/** Picks evenly spread cases, including the first and the last one, because files list their variants in order. */
function pickSample(tests: StateTest[]): StateTest[] {
  if (tests.length <= casesPerFile) return tests;
  const step = (tests.length - 1) / (casesPerFile - 1);
  return Array.from({ length: casesPerFile }, (_, index) => tests[Math.round(index * step)]!);
}

describe.skipIf(!existsSync(stateTestArchive))("published state tests, if ../shared/evm-tests exists", () => {
  let opened: StateTestFolder;
  beforeAll(() => {
    opened = openStateTests();
  });
  afterAll(() => opened.close());

  test("match the published roots and logs in every file", { timeout: 600_000 }, async () => {
    const mismatches: string[] = [];
    let cases = 0;
    for (const file of opened.files) {
      if (isLeftOut(file)) continue;
      for (const each of pickSample(readStateTests(join(opened.folder, file)))) {
        // Alternates between the tiers, so that each tier runs cases from nearly every file.
        const tier = cases++ % 2 === 0 ? "compiled" : "interpreted";
        const mismatch = await onTier(tier, () => findMismatch(each));
        if (mismatch) mismatches.push(`${file}, ${tier}: ${mismatch}`);
      }
    }
    expect(mismatches).toEqual([]);
    expect(cases).toBeGreaterThan(2_500);
  });

  test("fail the run if an outcome differs from the published one", async () => {
    const file = opened.files.find((path) => path.endsWith("stEIP2930/transactionCosts.json"))!;
    const [first] = readStateTests(join(opened.folder, file));
    const { published, fork, index } = first!;
    const root = `0x${"11".repeat(32)}` as const;
    const expected = { ...published.post[fork]![index]!, hash: root };
    const changed = { ...first!, index: 0, published: { ...published, post: { [fork]: [expected] } } };
    expect(await findMismatch(changed)).toContain(`published ${root}`);
  });
});
