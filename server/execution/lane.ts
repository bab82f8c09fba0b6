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

export type Lane = {
  /** timeoutMs limits the wait and then the run; undefined means no limit. */
  run<J extends Job>(job: J, timeoutMs: number | undefined): Promise<JobResult<J>>;
  load(): { active: number; queued: number; agesMs: number[] };
  close(): Promise<void>;
};

type Task = {
  job: Job;
  timeoutMs: number | undefined;
  startedAtMs: number;
  timer?: NodeJS.Timeout;
  /** Set while a worker has it: its id there, and the place in shared memory where worker and lane claim it. */
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

/** together: the most jobs that a worker is sent at once, for jobs that cost less than a message; one by default. */
export function createLane(options: {
  location: StoreLocation;
  workers: number;
  queue: number;
  together?: number;
}): Lane {
  const together = options.together ?? 1;
  const threads = new Set<Thread>();
  const waiting: Task[] = [];
  let nextId = 0;
  let isClosed = false;

  function dispatch(): void {
    while (waiting.length > 0) {
      const idle = [...threads].find((thread) => thread.tasks.length === 0);
      const thread = idle ?? (threads.size < options.workers ? spawn() : undefined);
      if (!thread) return;
      // Only its share: the other workers take theirs.
      const share = Math.min(together, Math.ceil(waiting.length / options.workers));
      start(thread, waiting.splice(0, share));
    }
  }

  /** What workers have not begun goes back to the front of the queue, where the others have been at it for a while. */
  function takeBack(): void {
    const now = performance.now();
    for (const thread of threads) {
      if (thread.tasks.length < 2 || now - thread.handedAtMs < patienceMs) continue;
      const [running, ...others] = thread.tasks;
      const free = others.filter(reclaim);
      thread.tasks = [running!, ...others.filter((task) => !free.includes(task))];
      waiting.unshift(...free);
    }
  }

  /** Claims the task back; false if its worker has already started it. */
  function reclaim(task: Task): boolean {
    if (!task.handed || !claim(task.handed.claims, task.handed.at)) return false;
    delete task.handed;
    return true;
  }

  function spawn(): Thread {
    const workerData: WorkerData = { location: options.location };
    const worker = new Worker(new URL("./worker.ts", import.meta.url), { workerData });
    const thread: Thread = { worker, isReady: false, tasks: [], handedAtMs: 0 };
    threads.add(thread);
    worker.on("message", (message: FromWorker) => receive(thread, message));
    worker.on("error", (error) => discard(thread, error));
    worker.on("exit", (code) => discard(thread, new Error(`The worker of the job stopped with code ${code}.`)));
    return thread;
  }

  function start(thread: Thread, tasks: Task[]): void {
    const claims = createClaims(tasks.length);
    for (const [at, task] of tasks.entries()) task.handed = { id: nextId++, claims, at };
    thread.tasks = tasks;
    thread.handedAtMs = performance.now();
    clearTimeout(tasks[0]?.timer);
    // An idle pool must not keep the process alive.
    thread.worker.ref();
    const jobs = tasks.map(({ job, timeoutMs, handed }) => ({ id: handed!.id, job, timeoutMs }));
    thread.worker.postMessage({ jobs, claims } satisfies ToWorker);
    if (thread.isReady) limit(thread);
  }

  /** A job's time starts once the worker has loaded its code and finished the jobs before it. */
  function limit(thread: Thread): void {
    const [task] = thread.tasks;
    if (!task) return;
    clearTimeout(task.timer);
    const { timeoutMs } = task;
    if (timeoutMs !== undefined) {
      task.timer = setTimeout(() => discard(thread, new JobTimeoutError(timeoutMs)), timeoutMs + graceMs);
    }
  }

  function receive(thread: Thread, message: FromWorker): void {
    if (message.kind === "ready") {
      thread.isReady = true;
      limit(thread);
      return;
    }
    const place = thread.tasks.findIndex(({ handed }) => handed?.id === message.id);
    const [task] = place === -1 ? [] : thread.tasks.splice(place, 1);
    if (!task) return;
    clearTimeout(task.timer);
    if (thread.tasks.length > 0) limit(thread);
    else {
      thread.worker.unref();
      takeBack();
    }
    if (message.kind === "done") task.resolve(message.result as never);
    else task.reject(fromSentError(message.error));
    dispatch();
  }

  function discard(thread: Thread, reason: Error): void {
    if (!threads.delete(thread)) return;
    void thread.worker.terminate();
    const [running, ...others] = thread.tasks;
    if (running) {
      clearTimeout(running.timer);
      running.reject(reason);
    }
    thread.tasks = [];
    for (const task of others) delete task.handed;
    if (isClosed) for (const task of others) fail(task, reason);
    else waiting.unshift(...others);
    dispatch();
  }

  function fail(task: Task, reason: Error): void {
    clearTimeout(task.timer);
    task.reject(reason);
  }

  /** For a task that no worker has started; running ones have their own limit. */
  function giveUp(task: Task, reason: Error): void {
    const thread = [...threads].find(({ tasks }) => tasks.includes(task));
    const list = thread ? thread.tasks : waiting;
    const place = list.indexOf(task);
    if (place === -1 || (thread && !reclaim(task))) return;
    list.splice(place, 1);
    fail(task, reason);
  }

  /** Tasks that no worker has started, as far as this thread knows. */
  const listQueued = () => [...[...threads].flatMap(({ tasks }) => tasks.slice(1)), ...waiting];

  return {
    run(job, timeoutMs) {
      if (isClosed) return Promise.reject(new ExecutorClosedError());
      const isBusy = threads.size >= options.workers && [...threads].every(({ tasks }) => tasks.length > 0);
      if (isBusy && listQueued().length >= options.queue) return Promise.reject(new QueueFullError(options.queue));
      return new Promise((resolve, reject) => {
        const task: Task = { job, timeoutMs, startedAtMs: performance.now(), resolve, reject };
        waiting.push(task);
        if (timeoutMs !== undefined && isBusy) {
          task.timer = setTimeout(() => giveUp(task, new JobTimeoutError(timeoutMs)), timeoutMs);
        }
        dispatch();
      });
    },

    load() {
      const running = [...threads].flatMap(({ tasks }) => tasks.slice(0, 1));
      const queued = listQueued();
      const now = performance.now();
      const agesMs = [...running, ...queued].map((task) => now - task.startedAtMs);
      return { active: running.length, queued: queued.length, agesMs };
    },

    async close() {
      isClosed = true;
      for (const task of [...waiting]) giveUp(task, new ExecutorClosedError());
      const stopping = [...threads].map(async (thread) => {
        discard(thread, new ExecutorClosedError());
        await thread.worker.terminate();
      });
      await Promise.all(stopping);
    },
  };
}
