"use client";
/**
 * Loads a component's code in the browser when it is first shown. On the server and while the code loads, renders
 * `Waiting`.
 */
import { type ComponentType, createElement, lazy, type ReactNode, Suspense, useSyncExternalStore } from "react";

const neverChanges = () => () => {};

/**
 * Wraps the component that `load` resolves to. The browser's first render matches the server's, as hydration requires.
 */
export function loadedLater<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  Waiting: (props: Props) => ReactNode,
) {
  const Loaded = lazy(async () => ({ default: await load() }));
  return function LoadedLater(props: Props) {
    const isBrowser = useSyncExternalStore(
      neverChanges,
      () => true,
      () => false,
    );
    if (!isBrowser) return <Waiting {...props} />;
    return (
      <Suspense fallback={<Waiting {...props} />}>{createElement(Loaded as ComponentType<Props>, props)}</Suspense>
    );
  };
}

/** An empty placeholder, for components that open over the page. */
export const Nothing = () => null;
