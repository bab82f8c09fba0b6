/**
 * A queue of jobs, and workers that each run one job at a time. A worker may get several jobs in one message. If one of
 * them takes long, the jobs behind it are taken back; if a worker dies or can't end an overdue job, the worker is
 * replaced, and only its running job fails.
 */
import { Worker } from "node:worker_threads";
import { ExecutorClosedError, JobTimeoutError, QueueFullError, QueueWaitError } from "@/server/ethereum/errors";
import { createFairQueue, type FairQueue, toPlaces } from "@/server/execution/fairQueue";
import {
  type Claims,
  claim,
  createClaims,
  type FromWorker,
  fromSentError,
  type ToWorker,
  type WorkerData,
} from "@/server/execution/workerProtocol";
import type { Job, JobResult, RunOptions } from "@/server/ports/executor";
import type { StoreLocation } from "@/server/ports/store";

export type WorkerQueue = {
  run<J extends Job>(job: J, options: Pick<RunOptions, "timeoutMs" | "client">): Promise<JobResult<J>>;
  load(): { active: number; queued: number; agesMs: number[] };
  close(): Promise<void>;
};

type Options = {
  location: StoreLocation;
  workers: number;
  /** How many jobs may wait. A large job counts as several jobs, because its input stays in memory. */
  queue: number;
  /** How long a job with a time limit may wait before it runs. */
  waitMs: number;
  /** The maximum number of jobs per message to a worker; one by default. */
  together?: number;
  /** A worker ends after this time without a job. The next job starts another one. */
  idleMs?: number;
};

type Task = {
  job: Job;
  client: string;
  places: number;
  timeoutMs: number | undefined;
  startedAtMs: number;
  timer?: NodeJS.Timeout;
  /** Set while a worker has the task: the task's ID, and its index in the shared claims. */
  handed?: { id: number; claims: Claims; at: number };
  resolve(result: never): void;
  reject(error: Error): void;
};

/** `tasks` are in the order in which the worker runs them. The first one is running. */
type Thread = { worker: Worker; isReady: boolean; tasks: Task[]; patience?: NodeJS.Timeout; idle?: NodeJS.Timeout };

/**
 * V8's limit for the space for new objects. Without a limit, this space could grow to more than a hundred megabytes per
 * worker.
 */
const maxYoungGenerationSizeMb = 24;
/**
 * An idle worker keeps up to a hundred megabytes, and starting one takes a tenth of a second. The default is longer
 * than the block time of most chains.
 */
const defaultIdleMs = 15_000;
/** If a job takes longer than this, the jobs behind it are taken back. */
const patienceMs = 5;
/** How many bytes of input count as one place in the queue. */
const placeBytes = 65_536;
/**
 * How long an overdue job may continue before its worker is replaced. Some code, such as a precompile, can't check the
 * clock.
 */
const graceMs = 1_000;

type State = Required<Options> & { threads: Set<Thread>; waiting: FairQueue<Task>; nextId: number; isClosed: boolean };

export function createWorkerQueue(options: Options): WorkerQueue {
  const state: State = {
    together: 1,
    idleMs: defaultIdleMs,
    ...options,
    threads: new Set(),
    waiting: createFairQueue(),
    nextId: 0,
    isClosed: false,
  };
  return {
    run: (job, runOptions) => enqueue(state, job, runOptions),
    load: () => toLoad(state),
    close: () => close(state),
  };
}

function enqueue<J extends Job>(
  state: State,
  job: J,
  { timeoutMs, client = "" }: Pick<RunOptions, "timeoutMs" | "client">,
): Promise<JobResult<J>> {
  const { threads, waiting, workers, queue, waitMs } = state;
  if (state.isClosed) return Promise.reject(new ExecutorClosedError());
  const isBusy = threads.size >= workers && [...threads].every(({ tasks }) => tasks.length > 0);
  const places = isBusy && queue < Number.POSITIVE_INFINITY ? 1 + Math.floor(toBytes(toInput(job)) / placeBytes) : 1;
  // If nothing else is waiting, accepts even a job that is larger than the whole queue.
  while (isBusy && toPlaces(listQueued(state)) + Math.min(places, queue) > queue) {
    const dropped = waiting.size > 0 ? waiting.makeRoom({ client, places }) : undefined;
    if (!dropped) return Promise.reject(new QueueFullError(queue));
    fail(dropped, new QueueFullError(queue));
  }
  return new Promise((resolve, reject) => {
    const task: Task = { job, client, places, timeoutMs, startedAtMs: performance.now(), resolve, reject };
    waiting.add(task);
    if (timeoutMs !== undefined && isBusy) {
      task.timer = setTimeout(() => giveUp(state, task, new QueueWaitError(queue, waitMs)), waitMs);
    }
    dispatch(state);
  });
}

/** Returns the parts of a job whose content the client controls. */
function toInput(job: Job): unknown {
  if (job.kind === "simulate") return job.blocks;
  if (job.kind === "traceCalls") return job.calls;
  return "call" in job ? [job.call, job.overrides] : undefined;
}

/** The approximate size of the value in memory. */
function toBytes(value: unknown): number {
  if (typeof value === "string") return value.length;
  if (typeof value !== "object" || value === null) return 8;
  return Object.values(value).reduce<number>((sum, part) => sum + 32 + toBytes(part), 0);
}

function toLoad(state: State): ReturnType<WorkerQueue["load"]> {
  const running = [...state.threads].flatMap(({ tasks }) => tasks.slice(0, 1));
  const queued = listQueued(state);
  const now = performance.now();
  const agesMs = [...running, ...queued].map((task) => now - task.startedAtMs);
  return { active: running.length, queued: queued.length, agesMs };
}

async function close(state: State): Promise<void> {
  state.isClosed = true;
  for (const task of state.waiting.list()) giveUp(state, task, new ExecutorClosedError());
  const stopping = [...state.threads].map(async (thread) => {
    discard(state, thread, new ExecutorClosedError());
    await thread.worker.terminate();
  });
  await Promise.all(stopping);
}

function dispatch(state: State): void {
  while (state.waiting.size > 0) {
    const idle = [...state.threads].find((thread) => thread.tasks.length === 0);
    const thread = idle ?? (state.threads.size < state.workers ? spawn(state) : undefined);
    if (!thread) return;
    // Takes only this worker's share of the queue.
    const share = Math.min(state.together, Math.ceil(state.waiting.size / state.workers));
    start(
      state,
      thread,
      Array.from({ length: share }, () => state.waiting.next()!),
    );
  }
}

/** Takes back the jobs behind a job that runs long. */
function watch(state: State, thread: Thread): void {
  const [running, ...others] = thread.tasks;
  if (!running || others.length === 0) return;
  thread.patience = setTimeout(() => {
    if (thread.tasks[0] !== running) return watch(state, thread);
    const free = thread.tasks.slice(1).filter(reclaim);
    thread.tasks = thread.tasks.filter((task) => !free.includes(task));
    state.waiting.putBack(free, running.client);
    dispatch(state);
  }, patienceMs);
}

/** Takes the task back from its worker. Returns false if the worker has already started it. */
function reclaim(task: Task): boolean {
  if (!task.handed || !claim(task.handed.claims, task.handed.at)) return false;
  delete task.handed;
  return true;
}

function spawn(state: State): Thread {
  const workerData: WorkerData = { location: state.location };
  const resourceLimits = { maxYoungGenerationSizeMb };
  const worker = new Worker(new URL("./worker.ts", import.meta.url), { workerData, resourceLimits });
  const thread: Thread = { worker, isReady: false, tasks: [] };
  state.threads.add(thread);
  worker.on("message", (message: FromWorker) => receive(state, thread, message));
  worker.on("error", (error) => discard(state, thread, error));
  worker.on("exit", (code) =>
    discard(state, thread, new Error(`The worker thread running the job exited with code ${code}.`)),
  );
  return thread;
}

function start(state: State, thread: Thread, tasks: Task[]): void {
  const claims = createClaims(tasks.length);
  for (const [at, task] of tasks.entries()) task.handed = { id: state.nextId++, claims, at };
  thread.tasks = tasks;
  clearTimeout(tasks[0]?.timer);
  // Keeps the process alive while the worker has jobs. An idle pool must not keep it alive.
  thread.worker.ref();
  const jobs = tasks.map(({ job, timeoutMs, handed }) => ({ id: handed!.id, job, timeoutMs }));
  thread.worker.postMessage({ jobs, claims } satisfies ToWorker);
  if (thread.isReady) limit(state, thread);
  watch(state, thread);
}

/** Limits how long a job runs, counted from its start in the worker. */
function limit(state: State, thread: Thread): void {
  const [task] = thread.tasks;
  if (!task) return;
  clearTimeout(task.timer);
  const { timeoutMs } = task;
  if (timeoutMs !== undefined) {
    task.timer = setTimeout(() => discard(state, thread, new JobTimeoutError(timeoutMs)), timeoutMs + graceMs);
  }
}

function receive(state: State, thread: Thread, message: FromWorker): void {
  if (message.kind === "ready") {
    thread.isReady = true;
    limit(state, thread);
    return;
  }
  const place = thread.tasks.findIndex(({ handed }) => handed?.id === message.id);
  const [task] = place === -1 ? [] : thread.tasks.splice(place, 1);
  if (!task) return;
  clearTimeout(task.timer);
  if (thread.tasks.length > 0) limit(state, thread);
  else rest(state, thread);
  if (message.kind === "done") task.resolve(message.result as never);
  else task.reject(fromSentError(message.error));
  dispatch(state);
}

/** Ends the worker if it gets no job for a while. */
function rest(state: State, thread: Thread): void {
  thread.worker.unref();
  thread.idle ??= setTimeout(() => {
    if (thread.tasks.length === 0) discard(state, thread, new ExecutorClosedError());
  }, state.idleMs).unref();
  thread.idle.refresh();
}

function discard(state: State, thread: Thread, reason: Error): void {
  if (!state.threads.delete(thread)) return;
  clearTimeout(thread.patience);
  clearTimeout(thread.idle);
  void thread.worker.terminate();
  const [running, ...others] = thread.tasks;
  if (running) {
    clearTimeout(running.timer);
    running.reject(reason);
  }
  thread.tasks = [];
  for (const task of others) delete task.handed;
  if (state.isClosed) for (const task of others) fail(task, reason);
  else if (running) state.waiting.putBack(others, running.client);
  dispatch(state);
}

function fail(task: Task, reason: Error): void {
  clearTimeout(task.timer);
  task.reject(reason);
}

/** Fails a task that no worker has started yet. Running tasks have their own limit. */
function giveUp(state: State, task: Task, reason: Error): void {
  const thread = [...state.threads].find(({ tasks }) => tasks.includes(task));
  if (thread ? !reclaim(task) : !state.waiting.remove(task)) return;
  if (thread) thread.tasks = thread.tasks.filter((other) => other !== task);
  fail(task, reason);
}

/** Tasks that no worker has started yet, as far as this thread knows. */
function listQueued({ threads, waiting }: State): Task[] {
  return [...[...threads].flatMap(({ tasks }) => tasks.slice(1)), ...waiting.list()];
}
