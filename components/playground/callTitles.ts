/** Messages between the seller and its facilitator that aren't steps, because no other party sees them. */
export const callTitles = {
  verifyCall: "Verify the payment",
  settleCall: "Settle the payment",
  settleReply: "Success with the transaction",
};

export type CallKind = keyof typeof callTitles;
