/** A panel without content: its title and a sentence on one line. */
export function EmptyPanel({ id, title, children }: { id: string; title: string; children: string }) {
  return (
    <section aria-labelledby={id} className="px-4 text-13 text-ink-2">
      <h2 id={id} className="mr-1 inline font-semibold text-ink">
        {title}
      </h2>{" "}
      <p className="inline">{children}</p>
    </section>
  );
}
