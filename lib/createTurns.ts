/** Runs tasks one after another, in the order of the calls. A task that fails does not stop the next one. */
export function createTurns(): <T>(task: () => Promise<T>) => Promise<T> {
  let tail: Promise<unknown> = Promise.resolve();
  return (task) => {
    const turn = tail.then(task);
    tail = turn.catch(() => undefined);
    return turn;
  };
}
