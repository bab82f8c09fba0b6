"use client";
/** The list of topics. On wide screens, it stays beside them and marks the one at the top of the window. */
import { useEffect, useState } from "react";

type Topic = { id: string; title: string };

/** A topic is current when its heading is at most this far below the window's top. Links scroll it closer. */
const reachedPixels = 128;

function findCurrent(topics: readonly Topic[]): Topic | undefined {
  const { scrollTop, scrollHeight, clientHeight } = document.documentElement;
  const isReached = ({ id }: Topic) =>
    (document.getElementById(id)?.getBoundingClientRect().top ?? Number.POSITIVE_INFINITY) <= reachedPixels;
  if (scrollTop === 0 || scrollTop + clientHeight < scrollHeight - 1) return topics.findLast(isReached) ?? topics[0];
  // The page ends before the last topics get there. One of them is current if its link was followed.
  const last = topics.slice(Math.max(0, topics.findLastIndex(isReached)));
  return last.find(({ id }) => window.location.hash === `#${id}`) ?? topics.at(-1);
}

export function TopicList({ topics }: { topics: readonly Topic[] }) {
  const [current, setCurrent] = useState(topics[0]?.id);
  useEffect(() => {
    const update = () => setCurrent(findCurrent(topics)?.id);
    update();
    window.addEventListener("scroll", update, { passive: true });
    window.addEventListener("hashchange", update);
    return () => {
      window.removeEventListener("scroll", update);
      window.removeEventListener("hashchange", update);
    };
  }, [topics]);
  return (
    <nav
      aria-label="On this page"
      className="-mt-3 flex flex-wrap gap-x-5 max-sm:grid max-sm:grid-cols-[auto_auto] max-sm:justify-start max-sm:gap-x-4 md:max-xl:grid md:max-xl:grid-cols-4 xl:sticky xl:top-4 xl:mt-0 xl:flex-col xl:self-start"
    >
      {topics.map(({ id, title }) => (
        <a
          key={id}
          href={`#${id}`}
          aria-current={id === current ? "true" : undefined}
          className="flex min-h-8 items-center text-accent xl:px-3 xl:aria-[current]:bg-lit xl:aria-[current]:text-ink xl:aria-[current]:shadow-[inset_2px_0_0_var(--accent)]"
        >
          {title}
        </a>
      ))}
    </nav>
  );
}
