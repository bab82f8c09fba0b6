/** Runs tasks one after another, in the order in which they were added. If a task fails, the next one still runs. */
export function createTurns(): <T>(task: () => Promise<T>) => Promise<T> {
  let tail: Promise<unknown> = Promise.resolve();
  return (task) => {
    const turn = tail.then(task);
    tail = turn.catch(() => undefined);
    return turn;
  };
}
