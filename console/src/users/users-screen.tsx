import { RequirePermission } from '@muster/react'
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { useNavigate, useRouter, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { createPreference, useStore } from '../store.ts'
import { useNumber, useTexts } from '../texts.ts'
import { Answer } from '../ui/answer.tsx'
import { useAttempt } from '../ui/attempt.tsx'
import { Button } from '../ui/button.tsx'
import { density, otherDensity } from '../ui/density.ts'
import { Download } from '../ui/download.tsx'
import { useFirstPageAgain } from '../ui/pages.tsx'
import { useSentence } from '../ui/problem-note.tsx'
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

type View = 'list' | 'pages'

/** One long list, or a page at a time. */
const rememberedView = createPreference<View>('users.view', { values: ['list', 'pages'], byDefault: 'list' })

/** Rows on a page that is read as one. */
const pageRows = 50

/** The users, for those who may list them; else which permission is missing. */
export function UsersScreen() {
  const t = useTexts(usersTexts)
  const missing = `${t('refused')} ${t('missing', { permission: 'users:list' })}`
  return (
    <>
      <h1>{t('title')}</h1>
      <RequirePermission resource="users" action="list" fallback={<p className="note">{missing}</p>}>
        <Users />
      </RequirePermission>
    </>
  )
}

/** Filters, order and page stand in the address, so that a link shows the same. */
function Users() {
  const t = useTexts(usersTexts)
  const search = useSearch({ from: '/users' })
  const navigate = useNavigate()
  const { history } = useRouter()
  const { cursor, sort, ...filters } = search
  const remembered = useStore(rememberedView)
  const view = cursor === undefined ? remembered : 'pages'
  const [counted, setCounted] = useState<{ readonly key: string; readonly total: number }>()
  const open = (next: UsersSearch, replace = false) => void navigate({ to: '/users', search: next, replace })
  const page = useQuery(nextUsersPage(search, view === 'list' ? pageSize : pageRows))
  const shown = useShown(search, page)
  useReturn(page.data !== undefined)
  const narrow = (next: UsersSearch) => {
    // This screen stays while the next one loads. What was typed last must not bring the reader back.
    if (history.location.pathname === '/users') open({ ...next, ...(sort && { sort }) }, true)
  }
  useFirstPageAgain(cursor && page.error, () => {
    const { cursor: _, ...first } = search
    open(first, true)
  })
  const key = JSON.stringify(filters)
  const total = counted?.key === key ? counted.total : undefined
  const bulk = useBulk()
  const list = { search: shown, isOld: page.isPlaceholderData, onOpen: open, bulk }
  const isFiltered = Object.keys(filters).length > 0
  return (
    <>
      <div className="users-bar">
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
        {isFiltered && <Button onClick={onClear}>{t('clearFilters')}</Button>}
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
  const otherView = view === 'list' ? 'pages' : 'list'
  const otherRows = otherDensity(useStore(density))
  const chooseView = () => {
    rememberedView.become(otherView)
    onView()
  }
  return (
    <div className="users-tools">
      <Count {...{ filters, total, onCount }} />
      <Download name="users.csv" action={t('csv')} read={(watch) => downloadUsers(filters, watch)} />
      <Button look="text" onClick={chooseView}>
        {t(otherView === 'pages' ? 'asPages' : 'asList')}
      </Button>
      <Button look="text" onClick={() => density.become(otherRows)}>
        {t(otherRows)}
      </Button>
    </div>
  )
}

function Count({ filters, total, onCount }: Pick<ToolbarProps, 'filters' | 'total' | 'onCount'>) {
  const t = useTexts(usersTexts)
  const number = useNumber()
  const attempt = useAttempt()
  const sentence = useSentence(attempt.error)
  return (
    <>
      <span role="status" className="users-count">
        {total !== undefined && t('fit', { count: number(total) })}
        {attempt.error !== undefined && `${t('countRefused')} ${sentence}`}
      </span>
      {total === undefined && (
        <Button isBusy={attempt.isBusy} onClick={() => attempt.run(async () => onCount(await countUsers(filters)))}>
          {t('count')}
        </Button>
      )}
    </>
  )
}
