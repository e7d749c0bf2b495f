import { useRouter, useRouterState } from '@tanstack/react-router'
import { useEffect } from 'react'
import { isForPage } from '../shell/keys.ts'

declare module '@tanstack/history' {
  interface HistoryState {
    /** The list is the entry of the history before this one. */
    fromList?: boolean
  }
}

/** Who was looked at last. */
let lastOpened: string | undefined

/** On the list: the person who was opened has the focus again, where the list is shown at the place that was left. */
export function useReturn(isThere: boolean): void {
  useEffect(() => {
    if (!isThere || lastOpened === undefined) return
    const id = CSS.escape(lastOpened)
    lastOpened = undefined
    // After the shell, which gives the focus to a new screen, and the router, which scrolls.
    const frame = requestAnimationFrame(() =>
      requestAnimationFrame(() =>
        document.querySelector<HTMLElement>(`tr[data-id="${id}"] .person-link`)?.focus({ preventScroll: true }),
      ),
    )
    return () => cancelAnimationFrame(frame)
  }, [isThere])
}

/** On the screen of a person: back to the list as it was left. Nothing where the person was not opened from it. Escape does the same. */
export function useBackToList(userId: string): (() => void) | undefined {
  const { history, navigate } = useRouter()
  const isFromList = useRouterState({ select: ({ location }) => location.state.fromList === true })
  useEffect(() => {
    lastOpened = userId
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || !isForPage(event)) return
      if (isFromList) history.back()
      else void navigate({ to: '/people' })
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [userId, isFromList, history, navigate])
  return isFromList ? () => history.back() : undefined
}
