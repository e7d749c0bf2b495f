import { useEffect, useRef, useState } from 'react'
import { useNumber, useTexts, words } from '../texts.ts'
import { Button } from './button.tsx'
import { useSentence } from './problem-note.tsx'
import { say } from './toast.tsx'

export interface DownloadWatch {
  readonly signal: AbortSignal
  /** Lines so far. */
  readonly onCount: (count: number) => void
}

interface DownloadProps {
  readonly name: string
  /** A verb and its object, for the button. */
  readonly action: string
  readonly read: (watch: DownloadWatch) => Promise<Blob>
}

/** A file that is read for a while: how far it is, and a way to stop. Half of one is never saved: it would look like a whole one. */
export function Download({ name, action, read }: DownloadProps) {
  const t = useTexts(words)
  const number = useNumber()
  const [count, setCount] = useState<number>()
  const [error, setError] = useState<unknown>()
  const sentence = useSentence(error)
  const running = useRef<AbortController>(undefined)
  useEffect(() => () => running.current?.abort(), [])
  const download = async () => {
    const controller = new AbortController()
    const { signal } = controller
    running.current = controller
    setCount(0)
    setError(undefined)
    try {
      saveFile(name, await read({ signal, onCount: setCount }))
    } catch (thrown) {
      if (signal.aborted) say(t('downloadCancelled'))
      else setError(thrown)
    } finally {
      setCount(undefined)
    }
  }
  if (count !== undefined)
    return (
      <>
        <span className="download-count">{t('downloadCount', { count: number(count) })}</span>
        <Button onClick={() => running.current?.abort()}>{t('downloadCancel')}</Button>
      </>
    )
  return (
    <>
      <Button onClick={() => void download()}>{action}</Button>
      {error !== undefined && (
        <span role="alert" className="download-count">
          {t('downloadFailed')} {sentence}
        </span>
      )}
    </>
  )
}

/** Hands a file to the browser, which saves it where its user wants it. */
export function saveFile(name: string, content: Blob): void {
  const url = URL.createObjectURL(content)
  Object.assign(document.createElement('a'), { href: url, download: name }).click()
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}
