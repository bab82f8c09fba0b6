/** The problem with a commit message in one sentence; undefined if there is none. */
export function findCommitFault(message: { subject: string; body: string }, needsBody: boolean): string | undefined;
