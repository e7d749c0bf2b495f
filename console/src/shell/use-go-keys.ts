import { useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import { screens } from './screens.ts'
import { hasShortcuts } from './shortcuts.ts'

/** `g` and then the letter of a screen opens it; `/` goes to the search of a screen that has one. */
export function useGoKeys(): void {
  const navigate = useNavigate()
  useEffect(() => {
    let isAfterG = false
    const onKey = (event: KeyboardEvent) => {
      if (!hasShortcuts() || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
      const screen = isAfterG ? screens.find(({ key }) => key === event.key) : undefined
      isAfterG = event.key === 'g'
      if (screen) void navigate({ to: screen.to })
      if (event.key === '/') {
        const search = document.querySelector<HTMLElement>('input[type=search]')
        if (search) event.preventDefault()
        search?.focus()
      }
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [navigate])
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.matches('input, textarea, select, [contenteditable]')
}
