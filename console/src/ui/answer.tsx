import type { UseQueryResult } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import { useTexts, words } from '../texts.ts'
import { ProblemNote } from './problem-note.tsx'

interface AnswerProps<Data> {
  readonly of: UseQueryResult<Data>
  /** What could not be shown, where the service refused or could not be reached. */
  readonly refusal: string
  readonly children: (data: Data) => ReactNode
}

/**
 * What a query has read. Nothing for the first 150 ms, then a skeleton; a failure with what was read before it, if anything: what is not
 * known is never shown as empty.
 */
export function Answer<Data>({ of: query, refusal, children }: AnswerProps<Data>) {
  return (
    <>
      {query.isError && <ProblemNote error={query.error} title={refusal} onRetry={() => void query.refetch()} />}
      {query.data === undefined ? query.isPending && <Skeleton /> : children(query.data)}
    </>
  )
}

/** The shape of what is being read, after 150 ms without it. */
export function Skeleton() {
  const t = useTexts(words)
  const [isShown, setIsShown] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setIsShown(true), 150)
    return () => clearTimeout(timer)
  }, [])
  return (
    <div className="skeleton" role="status" aria-label={t('loading')} data-shown={isShown}>
      <div />
      <div />
      <div />
    </div>
  )
}
