/** Resources of the failure lab, whose facilitators fail on purpose. */
export const labPaths = {
  /** Its facilitator only returns errors. */
  facilitatorError: "/api/lab/facilitator-error",
  /** Its facilitator settles, but the response is lost. */
  lostAnswer: "/api/lab/lost-answer",
} as const;
