/** Explains the names of the payment schemes. */
export const schemeHint = "With “exact”, the payer signs the amount. With “upto”, the payer signs a maximum";
