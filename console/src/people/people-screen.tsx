import { isProblem } from '@muster/client'
import { RequirePermission } from '@muster/react'
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { useNavigate, useRouter, useSearch } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useTexts } from '../texts/texts.ts'
import { Answer } from '../ui/answer.tsx'
import { Button } from '../ui/button.tsx'
import { say } from '../ui/toast.tsx'
import { type Bulk, useBulk } from './bulk/use-bulk.ts'
import { LongList } from './long-list.tsx'
import './people.css'
import { PeopleFilters } from './people-filters.tsx'
import { PeoplePages } from './people-pages.tsx'
import { PeopleToolbar } from './people-toolbar.tsx'
import { pageSize } from './places.ts'
import { nextPageQuery, type PeoplePage } from './read-people.ts'
import type { PeopleSearch } from './search.ts'
import { peopleTexts } from './texts.ts'
import { useReturn } from './use-return.ts'
import { useView } from './view.ts'
import { ReportAlone } from './with-selected.tsx'

/** Rows on a page that is read as one. */
const pageRows = 50

/** The users, for those who may list them; else which permission is missing. */
export function PeopleScreen() {
  const t = useTexts(peopleTexts)
  const missing = (
    <p className="note">
      {t('refused')} {t('missing', { permission: 'users:list' })}
    </p>
  )
  return (
    <>
      <h1>{t('title')}</h1>
      <RequirePermission resource="users" action="list" fallback={missing}>
        <People />
      </RequirePermission>
    </>
  )
}

/** Filters, order and page stand in the address, so that a link shows the same. */
function People() {
  const t = useTexts(peopleTexts)
  const search = useSearch({ from: '/people' })
  const navigate = useNavigate()
  const { history } = useRouter()
  const { cursor, sort, ...filters } = search
  const remembered = useView()
  const view = cursor === undefined ? remembered : 'pages'
  const [counted, setCounted] = useState<{ readonly key: string; readonly total: number }>()
  const open = (next: PeopleSearch, replace = false) => void navigate({ to: '/people', search: next, replace })
  const page = useQuery(nextPageQuery(search, view === 'list' ? pageSize : pageRows))
  const shown = useShown(search, page)
  useReturn(page.data !== undefined)
  const narrow = (next: PeopleSearch) => {
    // This screen stays while the next one loads. What was typed last must not bring the reader back.
    if (history.location.pathname === '/people') open({ ...next, ...(sort && { sort }) }, true)
  }
  const isCursorGone = cursor !== undefined && isProblem(page.error, 'cursor_invalid')
  useEffect(() => {
    if (!isCursorGone) return
    say(t('firstAgain'))
    const { cursor: _, ...first } = search
    void navigate({ to: '/people', search: first, replace: true })
  }, [isCursorGone, navigate, search, t])
  const key = JSON.stringify(filters)
  const total = counted?.key === key ? counted.total : undefined
  const bulk = useBulk()
  const list = { search: shown, isOld: page.isPlaceholderData, onOpen: open, bulk }
  const isFiltered = Object.keys(filters).length > 0
  return (
    <>
      <div className="people-bar">
        <PeopleFilters filters={filters} onChange={narrow} />
        <PeopleToolbar
          {...{ filters, view, total }}
          onCount={(fit) => setCounted({ key, total: fit })}
          onView={() => open({ ...filters, ...(sort && { sort }) }, true)}
        />
      </div>
      <Answer of={page} refusal={t('refused')}>
        {(data) =>
          data.users.length === 0 && cursor === undefined ? (
            <NoPeople {...{ isFiltered, bulk }} onClear={() => open({})} />
          ) : view === 'list' ? (
            // Another list has other pages, and no one in it is chosen.
            <LongList key={JSON.stringify(shown)} {...list} total={total} />
          ) : (
            <PeoplePages key={key} {...list} page={data} />
          )
        }
      </Answer>
    </>
  )
}

interface NoPeopleProps {
  readonly isFiltered: boolean
  readonly onClear: () => void
  readonly bulk: Bulk
}

function NoPeople({ isFiltered, onClear, bulk }: NoPeopleProps) {
  const t = useTexts(peopleTexts)
  return (
    <>
      <div className="empty">
        <p>{isFiltered ? t('noneFits') : t('none')}</p>
        {isFiltered && <Button onClick={onClear}>{t('clear')}</Button>}
      </div>
      <ReportAlone bulk={bulk} />
    </>
  )
}

/** Of the rows that are shown: that of the address, or the one before it while it is read. */
function useShown(search: PeopleSearch, { data, isPlaceholderData }: UseQueryResult<PeoplePage>): PeopleSearch {
  const [shown, setShown] = useState(search)
  if (data !== undefined && !isPlaceholderData && JSON.stringify(shown) !== JSON.stringify(search)) setShown(search)
  return isPlaceholderData ? shown : search
}
