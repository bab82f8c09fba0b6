/**
 * t() for the pages of the ledger, the facilitator and the paid resources.
 */
import { commonMessages } from "@/lib/messages/enCommon";
import { paymentMessages } from "@/lib/messages/enPayment";
import { paymentsMessages } from "@/lib/messages/enPayments";
import { createTranslate } from "@/lib/messages/translate";

export const t = createTranslate({ ...commonMessages, ...paymentMessages, ...paymentsMessages });
