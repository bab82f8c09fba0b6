/** A panel without content: its title and a sentence on one line. Two in a row share a sheet. */
export function EmptyPanel({ id, title, children }: { id: string; title: string; children: string }) {
  return (
    <section
      aria-labelledby={id}
      data-empty
      // The second one's border covers the first one's.
      className="sheet flex gap-x-4 px-4 py-3 text-13 text-ink-2 has-[+[data-empty]]:rounded-b-none [[data-empty]+&]:-mt-[calc(1rem+1px)] [[data-empty]+&]:rounded-t-none"
    >
      <h2 id={id} className="w-14 flex-none font-semibold text-ink">
        {title}
      </h2>
      <p>{children}</p>
    </section>
  );
}
