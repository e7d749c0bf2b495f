import { isProblem } from '@muster/client'
import { RequirePermission } from '@muster/react'
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { useNavigate, useRouter, useSearch } from '@tanstack/react-router'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { useLanguage, useTexts } from '../texts.ts'
import { Answer } from '../ui/answer.tsx'
import { Button } from '../ui/button.tsx'
import { chooseDensity, otherDensity, useDensity } from '../ui/density.ts'
import { Download } from '../ui/download.tsx'
import { useSentence } from '../ui/problem-note.tsx'
import { say } from '../ui/toast.tsx'
import { type Bulk, useBulk } from './bulk.ts'
import {
  countUsers,
  downloadUsers,
  nextUsersPage,
  type UsersFilters,
  type UsersPage,
  type UsersSearch,
} from './calls.ts'
import { FilterBar } from './filters.tsx'
import { useReturn } from './list-keys.ts'
import { LongList } from './long-list.tsx'
import { pageSize } from './long-list-pages.ts'
import { PagedList } from './paged-list.tsx'
import { usersTexts } from './texts.ts'
import { ReportAlone } from './with-selected.tsx'
import './users.css'

/** Rows on a page that is read as one. */
const pageRows = 50

/** The users, for those who may list them; else which permission is missing. */
export function UsersScreen() {
  const t = useTexts(usersTexts)
  const missing = (
    <p className="note">
      {t('refused')} {t('missing', { permission: 'users:list' })}
    </p>
  )
  return (
    <>
      <h1>{t('title')}</h1>
      <RequirePermission resource="users" action="list" fallback={missing}>
        <Users />
      </RequirePermission>
    </>
  )
}

/** Filters, order and page stand in the address, so that a link shows the same. */
function Users() {
  const t = useTexts(usersTexts)
  const search = useSearch({ from: '/people' })
  const navigate = useNavigate()
  const { history } = useRouter()
  const { cursor, sort, ...filters } = search
  const remembered = useView()
  const view = cursor === undefined ? remembered : 'pages'
  const [counted, setCounted] = useState<{ readonly key: string; readonly total: number }>()
  const open = (next: UsersSearch, replace = false) => void navigate({ to: '/people', search: next, replace })
  const page = useQuery(nextUsersPage(search, view === 'list' ? pageSize : pageRows))
  const shown = useShown(search, page)
  useReturn(page.data !== undefined)
  const narrow = (next: UsersSearch) => {
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
        <FilterBar filters={filters} onChange={narrow} />
        <Toolbar
          {...{ filters, view, total }}
          onCount={(fit) => setCounted({ key, total: fit })}
          onView={() => open({ ...filters, ...(sort && { sort }) }, true)}
        />
      </div>
      <Answer of={page} refusal={t('refused')}>
        {(data) =>
          data.users.length === 0 && cursor === undefined ? (
            <NoUsers {...{ isFiltered, bulk }} onClear={() => open({})} />
          ) : view === 'list' ? (
            // Another list has other pages, and no one in it is chosen.
            <LongList key={JSON.stringify(shown)} {...list} total={total} />
          ) : (
            <PagedList key={key} {...list} page={data} />
          )
        }
      </Answer>
    </>
  )
}

interface NoUsersProps {
  readonly isFiltered: boolean
  readonly onClear: () => void
  readonly bulk: Bulk
}

function NoUsers({ isFiltered, onClear, bulk }: NoUsersProps) {
  const t = useTexts(usersTexts)
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
function useShown(search: UsersSearch, { data, isPlaceholderData }: UseQueryResult<UsersPage>): UsersSearch {
  const [shown, setShown] = useState(search)
  if (data !== undefined && !isPlaceholderData && JSON.stringify(shown) !== JSON.stringify(search)) setShown(search)
  return isPlaceholderData ? shown : search
}

interface ToolbarProps {
  readonly filters: UsersFilters
  readonly view: View
  readonly total: number | undefined
  readonly onCount: (total: number) => void
  readonly onView: () => void
}

/** What can be asked about all that fit, and how the list looks. */
function Toolbar({ filters, view, total, onCount, onView }: ToolbarProps) {
  const t = useTexts(usersTexts)
  const density = useDensity()
  const otherView = view === 'list' ? 'pages' : 'list'
  return (
    <div className="people-tools">
      <Count {...{ filters, total, onCount }} />
      <Download name="people.csv" action={t('csv')} read={(watch) => downloadUsers(filters, watch)} />
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

function Count({ filters, total, onCount }: Pick<ToolbarProps, 'filters' | 'total' | 'onCount'>) {
  const t = useTexts(usersTexts)
  const language = useLanguage()
  const [isBusy, setIsBusy] = useState(false)
  const [error, setError] = useState<unknown>()
  const sentence = useSentence(error)
  const count = async () => {
    setIsBusy(true)
    setError(undefined)
    await countUsers(filters).then(onCount).catch(setError)
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

/** One long list, or a page at a time. This browser remembers it. */
type View = 'list' | 'pages'

const storageKey = 'muster.people.view'
const listeners = new Set<() => void>()
let present: View = localStorage.getItem(storageKey) === 'pages' ? 'pages' : 'list'

function useView(): View {
  return useSyncExternalStore(subscribe, () => present)
}

function chooseView(view: View): void {
  present = view
  localStorage.setItem(storageKey, view)
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
