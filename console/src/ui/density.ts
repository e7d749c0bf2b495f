import { useSyncExternalStore } from 'react'

type Density = 'comfortable' | 'compact'

const storageKey = 'muster.density'
const listeners = new Set<() => void>()
let present: Density = localStorage.getItem(storageKey) === 'compact' ? 'compact' : 'comfortable'
document.documentElement.dataset.density = present

/** How close the rows of tables are. This browser remembers it. */
export function useDensity(): Density {
  return useSyncExternalStore(subscribe, () => present)
}

export function chooseDensity(density: Density): void {
  present = density
  localStorage.setItem(storageKey, density)
  document.documentElement.dataset.density = density
  for (const listener of listeners) listener()
}

export function otherDensity(density: Density): Density {
  return density === 'compact' ? 'comfortable' : 'compact'
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
