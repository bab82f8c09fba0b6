/**
 * A queue and its workers, each running one job at a time. If many jobs wait, a worker gets several in one message;
 * those it hasn't started are taken back when another worker is free, so that none waits behind a long job. A worker
 * ends an overdue job by itself; one that fails to, or dies, is replaced, and only its running job fails.
 */
import { Worker } from "node:worker_threads";
import { ExecutorClosedError, JobTimeoutError, QueueFullError } from "@/server/ethereum/errors";
import {
  type Claims,
  claim,
  createClaims,
  type FromWorker,
  fromSentError,
  type ToWorker,
  type WorkerData,
} from "@/server/execution/workerProtocol";
import type { Job, JobResult } from "@/server/ports/executor";
import type { StoreLocation } from "@/server/ports/store";

export type WorkerQueue = {
  /** timeoutMs limits the wait and then the run; undefined means no limit. */
  run<J extends Job>(job: J, timeoutMs: number | undefined): Promise<JobResult<J>>;
  load(): { active: number; queued: number; agesMs: number[] };
  close(): Promise<void>;
};

type Options = {
  location: StoreLocation;
  workers: number;
  /** How many jobs may wait. */
  queue: number;
  /** The most jobs that a worker is sent at once, for jobs that cost less than a message; one by default. */
  together?: number;
};

type Task = {
  job: Job;
  timeoutMs: number | undefined;
  startedAtMs: number;
  timer?: NodeJS.Timeout;
  /** Set while a worker has it: its id there, and the place in shared memory where worker and queue claim it. */
  handed?: { id: number; claims: Claims; at: number };
  resolve(result: never): void;
  reject(error: Error): void;
};

/** tasks are in the worker's order; the first one is running. */
type Thread = { worker: Worker; isReady: boolean; tasks: Task[]; handedAtMs: number };

/** A worker busy this long with one job may hold up those behind it. */
const patienceMs = 5;
/** Extra time for a job in code that can't check the clock (a single precompile, for example). */
const graceMs = 1_000;

type State = Required<Options> & { threads: Set<Thread>; waiting: Task[]; nextId: number; isClosed: boolean };

export function createWorkerQueue(options: Options): WorkerQueue {
  const state: State = { together: 1, ...options, threads: new Set(), waiting: [], nextId: 0, isClosed: false };
  return {
    run: (job, timeoutMs) => enqueue(state, job, timeoutMs),
    load: () => toLoad(state),
    close: () => close(state),
  };
}

function enqueue<J extends Job>(state: State, job: J, timeoutMs: number | undefined): Promise<JobResult<J>> {
  const { threads, waiting, workers, queue } = state;
  if (state.isClosed) return Promise.reject(new ExecutorClosedError());
  const isBusy = threads.size >= workers && [...threads].every(({ tasks }) => tasks.length > 0);
  if (isBusy && listQueued(state).length >= queue) return Promise.reject(new QueueFullError(queue));
  return new Promise((resolve, reject) => {
    const task: Task = { job, timeoutMs, startedAtMs: performance.now(), resolve, reject };
    waiting.push(task);
    if (timeoutMs !== undefined && isBusy) {
      task.timer = setTimeout(() => giveUp(state, task, new JobTimeoutError(timeoutMs)), timeoutMs);
    }
    dispatch(state);
  });
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
  for (const task of [...state.waiting]) giveUp(state, task, new ExecutorClosedError());
  const stopping = [...state.threads].map(async (thread) => {
    discard(state, thread, new ExecutorClosedError());
    await thread.worker.terminate();
  });
  await Promise.all(stopping);
}

function dispatch(state: State): void {
  while (state.waiting.length > 0) {
    const idle = [...state.threads].find((thread) => thread.tasks.length === 0);
    const thread = idle ?? (state.threads.size < state.workers ? spawn(state) : undefined);
    if (!thread) return;
    // Only this worker's share, so the others get theirs.
    const share = Math.min(state.together, Math.ceil(state.waiting.length / state.workers));
    start(state, thread, state.waiting.splice(0, share));
  }
}

/** Jobs that haven't started return to the front of the queue if their worker has been busy for a while. */
function takeBack(state: State): void {
  const now = performance.now();
  for (const thread of state.threads) {
    if (thread.tasks.length < 2 || now - thread.handedAtMs < patienceMs) continue;
    const [running, ...others] = thread.tasks;
    const free = others.filter(reclaim);
    thread.tasks = [running!, ...others.filter((task) => !free.includes(task))];
    state.waiting.unshift(...free);
  }
}

/** Claims the task back; false if its worker has already started it. */
function reclaim(task: Task): boolean {
  if (!task.handed || !claim(task.handed.claims, task.handed.at)) return false;
  delete task.handed;
  return true;
}

function spawn(state: State): Thread {
  const workerData: WorkerData = { location: state.location };
  const worker = new Worker(new URL("./worker.ts", import.meta.url), { workerData });
  const thread: Thread = { worker, isReady: false, tasks: [], handedAtMs: 0 };
  state.threads.add(thread);
  worker.on("message", (message: FromWorker) => receive(state, thread, message));
  worker.on("error", (error) => discard(state, thread, error));
  worker.on("exit", (code) => discard(state, thread, new Error(`The job's worker stopped with code ${code}.`)));
  return thread;
}

function start(state: State, thread: Thread, tasks: Task[]): void {
  const claims = createClaims(tasks.length);
  for (const [at, task] of tasks.entries()) task.handed = { id: state.nextId++, claims, at };
  thread.tasks = tasks;
  thread.handedAtMs = performance.now();
  clearTimeout(tasks[0]?.timer);
  // An idle pool must not keep the process alive.
  thread.worker.ref();
  const jobs = tasks.map(({ job, timeoutMs, handed }) => ({ id: handed!.id, job, timeoutMs }));
  thread.worker.postMessage({ jobs, claims } satisfies ToWorker);
  if (thread.isReady) limit(state, thread);
}

/** A job's time starts once the worker has loaded its code and finished the jobs before it. */
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
  else {
    thread.worker.unref();
    takeBack(state);
  }
  if (message.kind === "done") task.resolve(message.result as never);
  else task.reject(fromSentError(message.error));
  dispatch(state);
}

function discard(state: State, thread: Thread, reason: Error): void {
  if (!state.threads.delete(thread)) return;
  void thread.worker.terminate();
  const [running, ...others] = thread.tasks;
  if (running) {
    clearTimeout(running.timer);
    running.reject(reason);
  }
  thread.tasks = [];
  for (const task of others) delete task.handed;
  if (state.isClosed) for (const task of others) fail(task, reason);
  else state.waiting.unshift(...others);
  dispatch(state);
}

function fail(task: Task, reason: Error): void {
  clearTimeout(task.timer);
  task.reject(reason);
}

/** For a task that no worker has started; running ones have their own limit. */
function giveUp(state: State, task: Task, reason: Error): void {
  const thread = [...state.threads].find(({ tasks }) => tasks.includes(task));
  const list = thread ? thread.tasks : state.waiting;
  const place = list.indexOf(task);
  if (place === -1 || (thread && !reclaim(task))) return;
  list.splice(place, 1);
  fail(task, reason);
}

/** Tasks that no worker has started yet, as far as this thread knows. */
function listQueued({ threads, waiting }: State): Task[] {
  return [...[...threads].flatMap(({ tasks }) => tasks.slice(1)), ...waiting];
}
