/** The row limit and the page shape that all paginated lists share. */
import { z } from "zod";

export const limit = z
  .int()
  .min(1, "must be between 1 and 100")
  .max(100, "must be between 1 and 100")
  .nullish()
  .transform((given) => given ?? 25);

export const paged = <Item extends z.ZodType>(item: Item) =>
  z.strictObject({ items: z.array(item), next: z.string().nullable() });
