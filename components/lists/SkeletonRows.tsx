/**
 * Placeholder rows for a list that is loading. They are as high as the final rows, and only become visible after 150
 * ms.
 */
export function SkeletonRows({ rows, label }: { rows: number; label: string }) {
  return (
    <div aria-busy role="status" aria-label={label}>
      {Array.from({ length: rows }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: all rows are alike
        <div key={index} className="flex h-9 items-center gap-6 border-line border-b px-4 last:border-b-0">
          <span className="skeleton w-28" />
          <span className="skeleton w-16" />
          <span className="skeleton flex-1" />
          <span className="skeleton w-20" />
        </div>
      ))}
    </div>
  );
}
