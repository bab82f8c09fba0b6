"use client";
/** Whether columns headed Age show ages or times. The visitor chooses it in the head, for this browser. */
import { useSyncExternalStore } from "react";
import { createListeners } from "@/lib/createListeners";

export type TimeForm = "age" | "time";

const storageKey = "tollscan-times";
const listeners = createListeners();
let current: TimeForm | undefined;

function getTimeForm(): TimeForm {
  if (current) return current;
  try {
    current = localStorage.getItem(storageKey) === "time" ? "time" : "age";
  } catch {
    current = "age";
  }
  return current;
}

export function setTimeForm(form: TimeForm): void {
  current = form;
  try {
    localStorage.setItem(storageKey, form);
  } catch {
    // If storage is unavailable, the choice is kept only until the page is closed.
  }
  listeners.announce();
}

export function useTimeForm(): TimeForm {
  return useSyncExternalStore(listeners.add, getTimeForm, () => "age");
}
