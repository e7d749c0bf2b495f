import { useSyncExternalStore } from 'react'

/** Keys of one letter get in the way of who speaks to the browser, or types by accident: they can be switched off (WCAG 2.1.4). */
const storageKey = 'muster.shortcuts'
const listeners = new Set<() => void>()

export function hasShortcuts(): boolean {
  return localStorage.getItem(storageKey) !== 'off'
}

export function useShortcuts(): boolean {
  return useSyncExternalStore(subscribe, hasShortcuts)
}

export function chooseShortcuts(isOn: boolean): void {
  if (isOn) localStorage.removeItem(storageKey)
  else localStorage.setItem(storageKey, 'off')
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
