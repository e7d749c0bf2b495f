import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { isDialogOpen, isForPage } from './keys.ts'
import { screens } from './screens.ts'
import { hasShortcuts } from './shortcuts.ts'

/** What floats above the screens. */
export type Overlay = 'palette' | 'help'

/**
 * `g` and then the letter of a screen opens it; `/` goes to the search of a screen that has one; `?` shows all keys. Ctrl or ⌘ with K opens
 * the palette from everywhere but a dialog.
 */
export function useGoKeys(onOverlay: (overlay: Overlay) => void): void {
  const navigate = useNavigate()
  const latest = useRef(onOverlay)
  latest.current = onOverlay
  useEffect(() => {
    let isAfterG = false
    const onKey = (event: KeyboardEvent) => {
      if (isPaletteKey(event)) {
        event.preventDefault()
        latest.current('palette')
      }
      if (!hasShortcuts() || !isForPage(event)) return
      const screen = isAfterG ? screens.find(({ key }) => key === event.key) : undefined
      isAfterG = event.key === 'g'
      if (screen) {
        // The letter may mean something on the screen that is left.
        event.preventDefault()
        void navigate({ to: screen.to })
      }
      if (event.key === '?') latest.current('help')
      if (event.key === '/') focusSearch(event)
    }
    // Before the screens.
    document.addEventListener('keydown', onKey, { capture: true })
    return () => document.removeEventListener('keydown', onKey, { capture: true })
  }, [navigate])
}

function isPaletteKey({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): boolean {
  if (key !== 'k' || altKey || shiftKey || !(ctrlKey || metaKey)) return false
  return !isDialogOpen()
}

function focusSearch(event: KeyboardEvent): void {
  const search = document.querySelector<HTMLElement>('input[type=search]')
  if (search) event.preventDefault()
  search?.focus()
}
