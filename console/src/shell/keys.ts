import { createPreference } from '../store.ts'

/** Whether a key is meant for the page: nothing is being typed, no dialog is open, and nothing has taken it. */
export function isForPage(event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return false
  return !isTyping(event) && !isDialogOpen()
}

/** Notices at the foot of the window are no dialogs for their readers, although they have the role. */
export function isDialogOpen(): boolean {
  return document.querySelector('.backdrop') !== null
}

const moving = new Set(['ArrowDown', 'ArrowUp', 'Escape'])

/** A field of one line leaves the keys that move through a list, and a checkbox everything. */
function isTyping({ target, key }: KeyboardEvent): boolean {
  if (!(target instanceof HTMLElement) || !target.matches('input, textarea, select, [contenteditable]')) return false
  return !target.matches('input[type=checkbox]') && !(target.matches('input[type=search]') && moving.has(key))
}

/** Keys of one letter get in the way of who speaks to the browser, or types by accident: they can be switched off (WCAG 2.1.4). */
export const shortcuts = createPreference<'on' | 'off'>('shortcuts', { values: ['on', 'off'], byDefault: 'on' })
