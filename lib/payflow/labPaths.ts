/**
 * Where the resources of the failure lab stand, whose facilitators fail on purpose.
 */
export const labPaths = {
  /** Its facilitator answers errors alone. */
  facilitatorError: "/api/lab/facilitator-error",
  /** Its facilitator settles, and its answer is lost. */
  lostAnswer: "/api/lab/lost-answer",
} as const;
