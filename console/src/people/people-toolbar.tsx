import { useState } from 'react'
import { useLanguage, useTexts } from '../texts/texts.ts'
import { Button } from '../ui/button.tsx'
import { chooseDensity, otherDensity, useDensity } from '../ui/density.ts'
import { Download } from '../ui/download.tsx'
import { useSentence } from '../ui/problem-note.tsx'
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
      <Download name="people.csv" action={t('csv')} read={(watch) => downloadPeople(filters, watch)} />
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
