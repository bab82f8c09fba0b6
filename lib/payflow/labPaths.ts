/** The failure lab's resources whose facilitators fail on purpose. */
export const labPaths = {
  /** The facilitator of this resource only returns errors. */
  facilitatorError: "/api/lab/facilitator-error",
  /** The facilitator of this resource settles the payment, but its response is lost. */
  lostAnswer: "/api/lab/lost-answer",
} as const;
