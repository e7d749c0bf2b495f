import { useEffect, useRef, useState } from 'react'
import { readAgain } from '../person-calls.ts'
import { type Job, type Result, runBulk } from './run-bulk.ts'

export interface Bulk {
  readonly jobs: readonly Job[]
  readonly results: readonly Result[]
  readonly isRunning: boolean
  start(jobs: readonly Job[]): Promise<readonly Result[]>
  cancel(): void
  /** The report was read. */
  close(): void
}

export function useBulk(): Bulk {
  const [jobs, setJobs] = useState<readonly Job[]>([])
  const [results, setResults] = useState<readonly Result[]>([])
  const [isRunning, setIsRunning] = useState(false)
  const running = useRef<AbortController>(undefined)
  // Who leaves the screen stops it.
  useEffect(() => () => running.current?.abort(), [])
  useEffect(() => {
    if (!isRunning) return
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', ask)
    return () => removeEventListener('beforeunload', ask)
  }, [isRunning])
  return {
    jobs,
    results,
    isRunning,
    async start(next) {
      const all: Result[] = []
      running.current = new AbortController()
      setJobs(next)
      setResults([])
      setIsRunning(true)
      await runBulk(next, {
        signal: running.current.signal,
        onResult(result) {
          all.push(result)
          setResults([...all])
        },
      })
      setIsRunning(false)
      await readAgain(...next.map(({ user }) => user.id))
      return all
    },
    cancel: () => running.current?.abort(),
    close() {
      setJobs([])
      setResults([])
    },
  }
}
