/**
 * Runs small jobs in the calling thread, because a call of a few microseconds takes less time than a message to a
 * worker. The thread is never blocked for long: each run has a budget, and all runs of one turn of the event loop share
 * another. A job that exceeds either is abandoned without side effects and goes to a worker.
 */
import { createTurns } from "@/lib/createTurns";
import type { Budget } from "@/server/evm/budget";
import { runJob } from "@/server/execution/runJob";
import type { CacheableStore } from "@/server/execution/state/readCache";
import type { Call, CreateAccessList, EstimateGas, Job, JobResult } from "@/server/ports/executor";

export type Inline = {
  /** The job's result, or undefined if a worker has to run the job. Throws the same errors as in a worker. */
  run<J extends Job>(job: J, store: CacheableStore): Promise<JobResult<J> | undefined>;
};

/** Limit of one job, in units of a budget: about a millisecond. */
export const jobUnits = 100_000;
/** Limit of all jobs in one turn of the event loop: some milliseconds. */
export const turnUnits = 500_000;
/** If the turn has less than this left, no job is started. */
const leastUnits = 25_000;
/** Units that a job uses in addition to its runs. */
const setupUnits = 2_000;
/** Maximum length of the input's hex, and of each list. Both are read before any units are counted. */
const maxInput = 20_000;
const maxListed = 50;
/** After a job that exceeded its budget, this many similar jobs go directly to a worker. */
const skipped = 64;
const maxRemembered = 1_000;

/** Not a failure: this thread abandoned the job. */
class TooMuchError extends Error {
  override name = "TooMuchError";
}

/** `onNextTurn` runs its work in the next turn of the event loop. */
export function createInline(onNextTurn: (work: () => void) => void = setImmediate): Inline {
  let left = turnUnits;
  let isTurnBegun = false;
  const inTurn = createTurns();
  /** How many more jobs of each kind, contract and function will skip this thread. */
  const tooMuch = new Map<string, number>();

  function createBudget(): Budget & { isSpent(): boolean } {
    let own = jobUnits;
    let isSpent = false;
    return {
      isBrief: true,
      take() {
        const given = Math.min(own, left);
        isSpent = own <= 0;
        if (given <= 0) throw new TooMuchError();
        own -= given;
        spend(given);
        return given;
      },
      giveBack(units) {
        own += units;
        left += units;
      },
      isSpent() {
        return isSpent;
      },
    };
  }

  function spend(units: number): void {
    left -= units;
    if (isTurnBegun) return;
    isTurnBegun = true;
    onNextTurn(() => {
      isTurnBegun = false;
      left = turnUnits;
    });
  }

  /** Whether a job of this name currently skips this thread. */
  function isSkipped(name: string): boolean {
    const rest = tooMuch.get(name);
    if (rest === undefined) return false;
    if (rest > 1) tooMuch.set(name, rest - 1);
    else tooMuch.delete(name);
    return true;
  }

  function remember(name: string): void {
    tooMuch.set(name, skipped);
    const [oldest] = tooMuch.keys();
    if (tooMuch.size > maxRemembered && oldest !== undefined) tooMuch.delete(oldest);
  }

  async function attempt<J extends SmallJob>(job: J, store: CacheableStore): Promise<JobResult<J> | undefined> {
    const { kind, call } = job;
    const name = `${kind} ${call.to} ${call.input.slice(0, 10)}`;
    if (left < leastUnits || isSkipped(name)) return undefined;
    spend(setupUnits);
    const budget = createBudget();
    try {
      return await runJob(job, async () => store, budget);
    } catch (error) {
      if (!(error instanceof TooMuchError)) throw error;
      if (budget.isSpent()) remember(name);
      return undefined;
    }
  }

  return {
    run<J extends Job>(job: J, store: CacheableStore): Promise<JobResult<J> | undefined> {
      if (!isSmall(job)) return Promise.resolve(undefined);
      // Jobs in the same turn run one after another, each with the budget that the earlier ones left.
      return inTurn(() => attempt(job, store));
    },
  };
}

type SmallJob = Call | EstimateGas | CreateAccessList;

/** Whether the job's input is small, so that only its run can take long. */
function isSmall<J extends Job>(job: J): job is J & SmallJob {
  if (job.kind !== "call" && job.kind !== "estimateGas" && job.kind !== "createAccessList") return false;
  if (job.preceding || job.overrides || (job.kind === "call" && job.tracer)) return false;
  const { input, accessList = [], authorizationList, blobVersionedHashes = [] } = job.call;
  if (authorizationList || input.length > maxInput || blobVersionedHashes.length > maxListed) return false;
  return accessList.reduce((sum, { storageKeys }) => sum + 1 + storageKeys.length, 0) <= maxListed;
}
