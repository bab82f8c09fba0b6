/**
 * Runs small jobs in the calling thread, because a small call takes less time than sending a message to a worker. Each
 * run has its own budget, and all calls in one turn of the event loop also share a budget. If a job exceeds a budget, a
 * worker runs it instead.
 */
import { createTurns } from "@/lib/createTurns";
import { PendingRead } from "@/server/ethereum/pending";
import type { Budget } from "@/server/evm/budget";
import { type BriefCall, runBriefCall, runJob } from "@/server/execution/runJob";
import type { CacheableStore } from "@/server/execution/state/readCache";
import { isSystemContract } from "@/server/execution/systemCalls";
import type { EditState, ExecuteBlock, Job, JobResult } from "@/server/ports/executor";

type Answer<J extends Job> = JobResult<J> | undefined | Promise<JobResult<J> | undefined>;

export type Inline = {
  /**
   * The job's result, or undefined if a worker must run it. Calls run at once, without a promise. Throws the same
   * errors as in a worker.
   */
  run<J extends Job>(job: J, store: CacheableStore): Answer<J>;
};

/** The limit for one call, in budget units: about a millisecond. */
export const jobUnits = 100_000;
/** The limit for a block or a state edit: about five milliseconds. */
const blockUnits = 500_000;
/** The limit for all calls in one turn of the event loop: a few milliseconds. */
export const turnUnits = 500_000;
/** No job starts if the event loop's turn has fewer budget units left than this. */
const leastUnits = 25_000;
/** The units charged for each call, in addition to the units that its runs use. */
const setupUnits = 2_000;
/**
 * The units charged for a block or a state edit, and for each transaction or edited value in it, in addition to the
 * units that its runs use.
 */
const blockSetupUnits = 10_000;
const partUnits = 5_000;
/**
 * The maximum length of the input's hex, and the maximum number of entries in a list. Both are limited because reading
 * them uses no units.
 */
const maxInput = 20_000;
const maxListed = 50;
/** When a job exceeds its budget, this many similar jobs go directly to a worker. */
const skipped = 64;
const skippedBlocks = 8;
const maxRemembered = 1_000;

/** Thrown when this thread abandons a job, so that a worker runs it; not a failure. */
class TooMuchError extends Error {
  override name = "TooMuchError";
}

/** `onNextTurn` must run `work` in the next turn of the event loop. */
export function createInline(onNextTurn: (work: () => void) => void = setImmediate): Inline {
  let left = turnUnits;
  let isTurnBegun = false;
  const inTurn = createTurns();
  /** For each kind, contract and function: how many more jobs skip this thread. */
  const tooMuch = new Map<string, number>();

  function createBudget({ units, isPartOfTurn }: Plan): RunBudget {
    let own = units;
    let isSpent = false;
    return {
      isBrief: true,
      take() {
        const given = isPartOfTurn ? Math.min(own, left) : own;
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

  /**
   * Whether this job must go to a worker, because an earlier job with the same name exceeded its budget. If so, lowers
   * the count of jobs that must still do so.
   */
  function isSkipped(name: string): boolean {
    const rest = tooMuch.get(name);
    if (rest === undefined) return false;
    if (rest > 1) tooMuch.set(name, rest - 1);
    else tooMuch.delete(name);
    return true;
  }

  function remember({ name, skipped }: Plan): void {
    tooMuch.set(name, skipped);
    const [oldest] = tooMuch.keys();
    if (tooMuch.size > maxRemembered && oldest !== undefined) tooMuch.delete(oldest);
  }

  /** Creates the budget for a job that is about to run. Undefined if a worker must run the job. */
  function begin(plan: Plan): RunBudget | undefined {
    if ((plan.isPartOfTurn && left < leastUnits) || (tooMuch.size > 0 && isSkipped(plan.name))) return undefined;
    spend(plan.setupUnits);
    return createBudget(plan);
  }

  /** Leaves the job to a worker if it exceeded its own budget or the turn's. Otherwise throws the error. */
  function abandon(error: unknown, plan: Plan, budget: RunBudget): undefined {
    if (!(error instanceof TooMuchError)) throw error;
    if (budget.isSpent()) remember(plan);
  }

  async function attempt<J extends Job>(job: J, plan: Plan, store: CacheableStore): Promise<JobResult<J> | undefined> {
    const budget = begin(plan);
    if (!budget) return undefined;
    try {
      return await runJob(job, async () => store, budget);
    } catch (error) {
      return abandon(error, plan, budget);
    }
  }

  function attemptCall<J extends BriefCall>(job: J, plan: Plan, store: CacheableStore): Answer<J> {
    const budget = begin(plan);
    if (!budget) return undefined;
    try {
      return runBriefCall(job, store, budget);
    } catch (error) {
      // The store reads synchronously, but a precompile may still have to be loaded.
      if (error instanceof PendingRead) return inTurn(() => attempt(job, plan, store));
      return abandon(error, plan, budget);
    }
  }

  return {
    run<J extends Job>(job: J, store: CacheableStore): Answer<J> {
      const plan = toPlan(job);
      if (!plan) return undefined;
      if (isCall(job)) return attemptCall(job, plan, store);
      // Blocks and edits run one after another.
      return inTurn(() => attempt(job, plan, store));
    },
  };
}

type RunBudget = Budget & { isSpent(): boolean };

const isCall = <J extends Job>(job: J): job is J & BriefCall =>
  job.kind === "call" || job.kind === "estimateGas" || job.kind === "createAccessList";

/** How a job runs in this thread. */
type Plan = {
  /** Jobs with the same name usually exceed their budgets for the same reason. */
  name: string;
  units: number;
  setupUnits: number;
  /** Whether the job shares the turn's budget. Blocks don't share it, because only one block is built at a time. */
  isPartOfTurn: boolean;
  /** After a job exceeds its budget here, this many jobs with the same name run in a worker. */
  skipped: number;
};

/** Undefined if only a worker may run the job. */
function toPlan(job: Job): Plan | undefined {
  switch (job.kind) {
    case "call":
    case "estimateGas":
    case "createAccessList": {
      const name = `${job.kind} ${job.call.to} ${job.call.input.slice(0, 10)}`;
      return isSmall(job) ? { name, units: jobUnits, setupUnits, isPartOfTurn: true, skipped } : undefined;
    }
    case "executeBlock":
      return job.mode === "build" ? toBlockPlan(job.kind, toBlockParts(job)) : undefined;
    case "editState":
      return job.edits.some(({ address }) => isSystemContract(address))
        ? undefined
        : toBlockPlan(job.kind, toEditParts(job));
    default:
      return undefined;
  }
}

type Parts = { count: number; bytes: number };

function toBlockPlan(name: string, { count, bytes }: Parts): Plan | undefined {
  const setupUnits = blockSetupUnits + count * partUnits + bytes;
  if (setupUnits > blockUnits / 2) return undefined;
  return { name, units: blockUnits - setupUnits, setupUnits, isPartOfTurn: false, skipped: skippedBlocks };
}

const toBlockParts = ({ transactions, ommers }: ExecuteBlock): Parts => ({
  count: transactions.length + ommers.length,
  bytes: transactions.reduce((sum, { raw }) => sum + raw.length, 0),
});

const toEditParts = ({ edits }: EditState): Parts => ({
  count: edits.reduce((sum, { slots = [] }) => sum + 1 + slots.length, 0),
  bytes: edits.reduce((sum, { code = "0x" }) => sum + code.length, 0),
});

/** Whether the call's input is small, so that only the run itself can take a long time. */
function isSmall(job: BriefCall): boolean {
  if (job.preceding || job.overrides || (job.kind === "call" && job.tracer)) return false;
  const { input, accessList = [], authorizationList, blobVersionedHashes = [] } = job.call;
  if (authorizationList || input.length > maxInput || blobVersionedHashes.length > maxListed) return false;
  return accessList.reduce((sum, { storageKeys }) => sum + 1 + storageKeys.length, 0) <= maxListed;
}
