import { useSyncExternalStore } from 'react'

/** One value of the page that components follow. */
interface Store<Value> {
  read(): Value
  subscribe(listener: () => void): () => void
  become(next: Value): void
}

export function createStore<Value>(first: Value): Store<Value> {
  const listeners = new Set<() => void>()
  let present = first
  return {
    read: () => present,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    become(next) {
      present = next
      for (const listener of listeners) listener()
    },
  }
}

export function useStore<Value>({ subscribe, read }: Pick<Store<Value>, 'subscribe' | 'read'>): Value {
  return useSyncExternalStore(subscribe, read)
}

interface PreferenceOptions<Value> {
  readonly values: readonly Value[]
  readonly byDefault: Value
  /** Shows the value to the styles of the page, now and after each choice. */
  readonly apply?: (value: Value) => void
}

/** A choice among a few that this browser remembers. */
export function createPreference<Value extends string>(
  name: string,
  { values, byDefault, apply = () => {} }: PreferenceOptions<Value>,
): Store<Value> {
  const storageKey = `muster.${name}`
  const stored = localStorage.getItem(storageKey)
  const store = createStore(values.find((value) => value === stored) ?? byDefault)
  apply(store.read())
  return {
    ...store,
    become(next) {
      localStorage.setItem(storageKey, next)
      apply(next)
      store.become(next)
    },
  }
}
