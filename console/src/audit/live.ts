import { useEffect, useRef } from 'react'

/** How often the newest events are asked for while the trail is watched. */
export const liveMs = 3_000

/** Of the events that are shown, those that were not there before. None of a list that is shown for the first time. */
export function useNew(events: readonly { readonly id: string }[], key: string): ReadonlySet<string> {
  const former = useRef<{ readonly key: string; readonly ids: ReadonlySet<string> }>(undefined)
  const isSame = former.current?.key === key
  const known = isSame ? former.current?.ids : undefined
  const added = new Set(known ? events.filter(({ id }) => !known.has(id)).map(({ id }) => id) : [])
  const shown = useRef<ReadonlySet<string>>(added)
  if (added.size > 0 || !isSame) shown.current = added
  useEffect(() => {
    former.current = { key, ids: new Set(events.map(({ id }) => id)) }
  }, [key, events])
  return shown.current
}
