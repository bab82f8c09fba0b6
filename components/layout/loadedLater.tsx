"use client";
/**
 * Parts of a page whose scripts are loaded in the browser, once they are shown; `Waiting` stands in their place until
 * then and in what the server renders.
 */
import { type ComponentType, createElement, lazy, type ReactNode, Suspense, useSyncExternalStore } from "react";

const neverChanges = () => () => {};

/** The component that `load` answers. The first render in the browser is the server's, so that hydration finds it. */
export function loadedLater<Props extends object>(load: () => Promise<ComponentType<Props>>, Waiting: () => ReactNode) {
  const Loaded = lazy(async () => ({ default: await load() }));
  return function LoadedLater(props: Props) {
    const isBrowser = useSyncExternalStore(
      neverChanges,
      () => true,
      () => false,
    );
    if (!isBrowser) return <Waiting />;
    return <Suspense fallback={<Waiting />}>{createElement(Loaded as ComponentType<Props>, props)}</Suspense>;
  };
}

/** What stands in place of a part that opens over the page: nothing. */
export const Nothing = () => null;
