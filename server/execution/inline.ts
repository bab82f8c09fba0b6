/**
 * Small jobs in the thread that asks for them: a call of a few microseconds costs less than the message that would take
 * it to a worker. Invariant: the thread is never held long. A run has a budget, and all runs of one turn of the event
 * loop share another; a job that is too much for either is given up without a trace, and is a worker's then.
 */
import { createTurns } from "@/lib/createTurns";
import type { Budget } from "@/server/evm/budget";
import { runJob } from "@/server/execution/runJob";
import type { CacheableStore } from "@/server/execution/state/readCache";
import type { Call, CreateAccessList, EstimateGas, Job, JobResult } from "@/server/ports/executor";

export type Inline = {
  /** The job's result, or undefined where a worker has to run it. Throws as the job does in a worker. */
  run<J extends Job>(job: J, store: CacheableStore): Promise<JobResult<J> | undefined>;
};

/** One job, in units of a budget: about a millisecond. */
export const jobUnits = 100_000;
/** All jobs of a turn of the event loop together: some milliseconds. */
export const turnUnits = 500_000;
/** With less left of the turn a job is not begun. */
const leastUnits = 25_000;
/** What a job takes beside its runs. */
const setupUnits = 2_000;
/** Bytes of hex of the input, and entries of a list, that are read before anything is counted. */
const maxInput = 20_000;
const maxListed = 50;
/** After one that was too much, so many of its like are not tried. */
const skipped = 64;
const maxRemembered = 1_000;

/** Not a fault: the job was given up here. */
class TooMuchError extends Error {
  override name = "TooMuchError";
}

/** onNextTurn runs its work when others had their turn. */
export function createInline(onNextTurn: (work: () => void) => void = setImmediate): Inline {
  let left = turnUnits;
  let isTurnBegun = false;
  const inTurn = createTurns();
  /** How many of a kind, contract and function are not tried. */
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

  /** Whether a job of this name is one of those that are not tried for a while. */
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
      // One after the other, all without leaving the turn: each sees what those before it have left.
      return inTurn(() => attempt(job, store));
    },
  };
}

type SmallJob = Call | EstimateGas | CreateAccessList;

/** Whether what the job brings is little, so that all that may take long is its run. */
function isSmall<J extends Job>(job: J): job is J & SmallJob {
  if (job.kind !== "call" && job.kind !== "estimateGas" && job.kind !== "createAccessList") return false;
  if (job.preceding || job.overrides || (job.kind === "call" && job.tracer)) return false;
  const { input, accessList = [], authorizationList, blobVersionedHashes = [] } = job.call;
  if (authorizationList || input.length > maxInput || blobVersionedHashes.length > maxListed) return false;
  return accessList.reduce((sum, { storageKeys }) => sum + 1 + storageKeys.length, 0) <= maxListed;
}
