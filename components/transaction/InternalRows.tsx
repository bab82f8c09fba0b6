/** What the overview shows of internal transactions until their list is loaded. */
export const mostInternalRows = 5;
export const internalRowClass =
  "flex min-h-6 items-center gap-x-2 max-sm:min-h-13 max-sm:flex-wrap max-sm:content-center max-sm:justify-between max-sm:[&>.parties]:basis-full";

/** Rows as high as those that replace them. */
export function InternalPlaceholders({ count }: { count: number }) {
  return (
    <ol>
      {Array.from({ length: Math.min(count, mostInternalRows) }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: all placeholders are alike
        <li key={index} className={internalRowClass}>
          <span className="skeleton w-40" />
        </li>
      ))}
    </ol>
  );
}
