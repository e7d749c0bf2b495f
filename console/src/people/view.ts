import { useSyncExternalStore } from 'react'

/** One long list, or a page at a time. This browser remembers it. */
export type View = 'list' | 'pages'

const storageKey = 'muster.people.view'
const listeners = new Set<() => void>()
let present: View = localStorage.getItem(storageKey) === 'pages' ? 'pages' : 'list'

export function useView(): View {
  return useSyncExternalStore(subscribe, () => present)
}

export function chooseView(view: View): void {
  present = view
  localStorage.setItem(storageKey, view)
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
