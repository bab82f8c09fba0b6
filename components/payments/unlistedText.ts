/** Why a rejected payment is not among the failed ones. */
export const unlistedText = "Payments that a check rejects before settlement aren’t listed.";
