/** Resources of the failure lab, whose facilitators fail on purpose. */
export const labPaths = {
  /** The facilitator of this resource only returns errors. */
  facilitatorError: "/api/lab/facilitator-error",
  /** The facilitator of this resource settles, but its response is lost. */
  lostAnswer: "/api/lab/lost-answer",
} as const;
