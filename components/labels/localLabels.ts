"use client";
/** The visitor's own labels. They are stored in this browser only, and all of its tabs pick up every change. */
import { useSyncExternalStore } from "react";
import { createListeners } from "@/lib/createListeners";
import { type Labels, LabelsError, maxLabels, parseLabels, toLabel } from "@/lib/labels";

const storageKey = "tollscan-labels";
const none: Labels = {};
const changes = createListeners();
let current: Labels | undefined;

/**
 * Reads the stored labels. If there are none, returns the same empty object as on the server, because a different
 * object would make every page render twice.
 */
function read(): Labels {
  try {
    const labels = parseLabels(localStorage.getItem(storageKey) ?? "{}");
    return Object.keys(labels).length > 0 ? labels : none;
  } catch {
    // Storage may be unavailable, or somebody may have edited its content by hand. Pages then show names as if the
    // visitor had no labels.
    return none;
  }
}

function getLabels(): Labels {
  current ??= read();
  return current;
}

function subscribe(listener: () => void): () => void {
  const onStorage = ({ key }: StorageEvent) => {
    if (key !== storageKey && key !== null) return;
    current = undefined;
    listener();
  };
  window.addEventListener("storage", onStorage);
  const remove = changes.add(listener);
  return () => {
    window.removeEventListener("storage", onStorage);
    remove();
  };
}

export function useLocalLabels(): Labels {
  return useSyncExternalStore(subscribe, getLabels, () => none);
}

/** Throws LabelsError if there are too many labels, or the browser's error if it can't store the labels. */
function keep(labels: Labels): void {
  if (Object.keys(labels).length > maxLabels)
    throw new LabelsError(`This browser can store at most ${maxLabels} labels.`);
  localStorage.setItem(storageKey, JSON.stringify(labels));
  current = labels;
  changes.announce();
}

/** An empty `text` removes the label. */
export function setLocalLabel(address: string, text: string): void {
  const { [address.toLowerCase()]: _, ...others } = getLabels();
  const label = toLabel(text);
  keep(label === "" ? others : { ...others, [address.toLowerCase()]: label });
}

/**
 * Adds the labels from a file. They replace existing labels for the same addresses. Returns the number of labels in the
 * file.
 */
export function importLabels(text: string): number {
  const added = parseLabels(text);
  keep({ ...getLabels(), ...added });
  return Object.keys(added).length;
}
