/**
 * A queue and the workers that empty it, each with one job at a time. A worker that runs over its time or dies is
 * replaced; only its own job fails.
 */
import { Worker } from "node:worker_threads";
import { ExecutorClosedError, JobTimeoutError, QueueFullError } from "@/server/chain/errors";
import type { Job, JobResult } from "@/server/chain/evm/executor";
import { type FromWorker, fromSentError, type ToWorker, type WorkerData } from "@/server/chain/evm/workerProtocol";
import type { StoreLocation } from "@/server/storage/port";

export type Lane = {
  /** timeoutMs bounds the wait and then the run; undefined is no bound. */
  run<J extends Job>(job: J, timeoutMs: number | undefined): Promise<JobResult<J>>;
  load(): { active: number; queued: number; agesMs: number[] };
  close(): Promise<void>;
};

type Task = {
  job: Job;
  timeoutMs: number | undefined;
  startedAtMs: number;
  timer?: NodeJS.Timeout;
  resolve(result: never): void;
  reject(error: Error): void;
};

type Thread = { worker: Worker; isReady: boolean; task?: Task };

export function createLane(options: { location: StoreLocation; workers: number; queue: number }): Lane {
  const threads = new Set<Thread>();
  const waiting: Task[] = [];
  let nextId = 0;
  let isClosed = false;

  function dispatch(): void {
    while (waiting.length > 0) {
      const idle = [...threads].find((thread) => !thread.task);
      const thread = idle ?? (threads.size < options.workers ? spawn() : undefined);
      if (!thread) return;
      start(thread, waiting.shift()!);
    }
  }

  function spawn(): Thread {
    const workerData: WorkerData = { location: options.location };
    const worker = new Worker(new URL("./worker.ts", import.meta.url), { workerData });
    const thread: Thread = { worker, isReady: false };
    threads.add(thread);
    worker.on("message", (message: FromWorker) => receive(thread, message));
    worker.on("error", (error) => discard(thread, error));
    worker.on("exit", (code) => discard(thread, new Error(`The worker of the job stopped with code ${code}.`)));
    return thread;
  }

  function start(thread: Thread, task: Task): void {
    clearTimeout(task.timer);
    thread.task = task;
    // An idle pool must not keep a process alive that has nothing else to do.
    thread.worker.ref();
    thread.worker.postMessage({ id: nextId++, job: task.job } satisfies ToWorker);
    if (thread.isReady) limit(thread, task);
  }

  /** The time of a job starts when the worker has loaded its code, not while it does. */
  function limit(thread: Thread, task: Task): void {
    const { timeoutMs } = task;
    if (timeoutMs !== undefined) {
      task.timer = setTimeout(() => discard(thread, new JobTimeoutError(timeoutMs)), timeoutMs);
    }
  }

  function receive(thread: Thread, message: FromWorker): void {
    const { task } = thread;
    if (message.kind === "ready") {
      thread.isReady = true;
      if (task) limit(thread, task);
      return;
    }
    if (!task) return;
    clearTimeout(task.timer);
    delete thread.task;
    thread.worker.unref();
    if (message.kind === "done") task.resolve(message.result as never);
    else task.reject(fromSentError(message.error));
    dispatch();
  }

  function discard(thread: Thread, reason: Error): void {
    if (!threads.delete(thread)) return;
    void thread.worker.terminate();
    if (thread.task) {
      clearTimeout(thread.task.timer);
      thread.task.reject(reason);
    }
    dispatch();
  }

  function giveUp(task: Task, reason: Error): void {
    const place = waiting.indexOf(task);
    if (place === -1) return;
    waiting.splice(place, 1);
    task.reject(reason);
  }

  return {
    run(job, timeoutMs) {
      if (isClosed) return Promise.reject(new ExecutorClosedError());
      const isBusy = threads.size >= options.workers && [...threads].every((thread) => thread.task);
      if (isBusy && waiting.length >= options.queue) return Promise.reject(new QueueFullError(options.queue));
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
      const running = [...threads].flatMap(({ task }) => (task ? [task] : []));
      const now = performance.now();
      const agesMs = [...running, ...waiting].map((task) => now - task.startedAtMs);
      return { active: running.length, queued: waiting.length, agesMs };
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
