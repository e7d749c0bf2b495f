import type { ReactNode } from 'react'

export type Tone = 'good' | 'warning' | 'bad' | 'unknown' | 'neutral'

const signs: Readonly<Record<Tone, string>> = { good: '✓', warning: '!', bad: '✕', unknown: '?', neutral: '·' }

/** A status by word, sign and colour. What is not known has a tone of its own, neither good nor bad. */
export function Mark({ tone, children }: { readonly tone: Tone; readonly children: ReactNode }) {
  return (
    <span className={`mark mark-${tone}`}>
      <span aria-hidden="true">{signs[tone]}</span> {children}
    </span>
  )
}
