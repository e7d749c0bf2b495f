import { isProblem } from '@muster/client'
import { useEffect, useRef } from 'react'
import { useTexts, words } from '../texts.ts'
import { Button } from './button.tsx'
import { say } from './toast.tsx'

/** The cursors of a page's `Link` header (RFC 8288): nothing where there is no such page. */
interface Cursors {
  readonly next?: string
  readonly prev?: string
}

export function cursorsOf({ headers }: Response): Cursors {
  const link = headers.get('Link') ?? ''
  const { next, prev } = { next: cursorOf(link, 'next'), prev: cursorOf(link, 'prev') }
  return { ...(next !== undefined && { next }), ...(prev !== undefined && { prev }) }
}

function cursorOf(link: string, relation: 'next' | 'prev'): string | undefined {
  const [, target] = new RegExp(`<([^>]*)>; rel="${relation}"`).exec(link) ?? []
  if (target === undefined) return undefined
  return new URL(target, location.origin).searchParams.get('cursor') ?? undefined
}

interface PageButtonsProps {
  /** What the pages are of. */
  readonly name: string
  readonly page: Cursors
  readonly onOpen: (cursor: string) => void
}

export function PageButtons({ name, page: { next, prev }, onOpen }: PageButtonsProps) {
  const t = useTexts(words)
  return (
    <nav className="buttons" aria-label={name}>
      <Button disabled={!prev} onClick={() => prev && onOpen(prev)}>
        {t('previous')}
      </Button>
      <Button disabled={!next} onClick={() => next && onOpen(next)}>
        {t('next')}
      </Button>
    </nav>
  )
}

/** A cursor of another time, such as from before a restore, leads to the first page, and says so. */
export function useFirstPageAgain(error: unknown, openFirst: () => void): void {
  const t = useTexts(words)
  const isGone = isProblem(error, 'cursor_invalid')
  const latest = useRef({ t, openFirst })
  latest.current = { t, openFirst }
  useEffect(() => {
    if (!isGone) return
    say(latest.current.t('firstAgain'))
    latest.current.openFirst()
  }, [isGone])
}
