/**
 * t() where one payment is shown.
 */
import { commonMessages } from "@/lib/messages/enCommon";
import { paymentMessages } from "@/lib/messages/enPayment";
import { createTranslate } from "@/lib/messages/translate";

export const t = createTranslate({ ...commonMessages, ...paymentMessages });
