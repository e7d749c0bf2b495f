import { isProblem } from '@muster/client'
import { useEffect, useRef, useState } from 'react'
import { useLanguage, useTexts } from '../texts/texts.ts'
import { Button } from '../ui/button.tsx'
import { chooseDensity, otherDensity, useDensity } from '../ui/density.ts'
import { useSentence } from '../ui/problem-note.tsx'
import { saveFile } from '../ui/save-file.ts'
import { say } from '../ui/toast.tsx'
import { countPeople, downloadPeople } from './read-people.ts'
import type { PeopleFilters } from './search.ts'
import { peopleTexts } from './texts.ts'
import { chooseView, type View } from './view.ts'

interface PeopleToolbarProps {
  readonly filters: PeopleFilters
  readonly view: View
  readonly total: number | undefined
  readonly onCount: (total: number) => void
  readonly onView: () => void
}

/** What can be asked about all that fit, and how the list looks. */
export function PeopleToolbar({ filters, view, total, onCount, onView }: PeopleToolbarProps) {
  const t = useTexts(peopleTexts)
  const density = useDensity()
  const otherView = view === 'list' ? 'pages' : 'list'
  return (
    <div className="people-tools">
      <Count {...{ filters, total, onCount }} />
      <Download filters={filters} />
      <Button
        look="text"
        onClick={() => {
          chooseView(otherView)
          onView()
        }}
      >
        {t(otherView === 'pages' ? 'asPages' : 'asList')}
      </Button>
      <Button look="text" onClick={() => chooseDensity(otherDensity(density))}>
        {t(otherDensity(density))}
      </Button>
    </div>
  )
}

function Count({ filters, total, onCount }: Pick<PeopleToolbarProps, 'filters' | 'total' | 'onCount'>) {
  const t = useTexts(peopleTexts)
  const language = useLanguage()
  const [isBusy, setIsBusy] = useState(false)
  const [error, setError] = useState<unknown>()
  const sentence = useSentence(error)
  const count = async () => {
    setIsBusy(true)
    setError(undefined)
    await countPeople(filters).then(onCount).catch(setError)
    setIsBusy(false)
  }
  return (
    <>
      <span role="status" className="people-count">
        {total !== undefined && t('fit', { count: new Intl.NumberFormat(language).format(total) })}
        {error !== undefined && `${t('countRefused')} ${sentence}`}
      </span>
      {total === undefined && (
        <Button isBusy={isBusy} onClick={() => void count()}>
          {t('count')}
        </Button>
      )}
    </>
  )
}

function Download({ filters }: { readonly filters: PeopleFilters }) {
  const t = useTexts(peopleTexts)
  const language = useLanguage()
  const [rows, setRows] = useState<number>()
  const running = useRef<AbortController>(undefined)
  useEffect(() => () => running.current?.abort(), [])
  const download = async () => {
    const controller = new AbortController()
    running.current = controller
    setRows(0)
    try {
      saveFile('people.csv', await downloadPeople(filters, { signal: controller.signal, onRows: setRows }))
    } catch (error) {
      // Nothing was saved: half a list would look like a whole one.
      say(controller.signal.aborted ? t('csvCancelled') : isProblem(error) ? t('csvRefused') : t('csvBroken'))
    } finally {
      setRows(undefined)
    }
  }
  if (rows === undefined) return <Button onClick={() => void download()}>{t('csv')}</Button>
  return (
    <>
      <span className="people-count">{t('csvRows', { count: new Intl.NumberFormat(language).format(rows) })}</span>
      <Button onClick={() => running.current?.abort()}>{t('csvCancel')}</Button>
    </>
  )
}
