import { isProblem, unwrap } from '@muster/client'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate, useRouter, useSearch } from '@tanstack/react-router'
import { useEffect } from 'react'
import { muster } from '../session/muster.ts'
import { useTexts } from '../texts/texts.ts'
import { Answer } from '../ui/answer.tsx'
import { Button } from '../ui/button.tsx'
import { cursorsOf } from '../ui/links.ts'
import { saveFile } from '../ui/save-file.ts'
import { say } from '../ui/toast.tsx'
import './people.css'
import { PeopleFilters } from './people-filters.tsx'
import { PeopleTable } from './people-table.tsx'
import type { PeopleSearch } from './search.ts'
import { peopleTexts } from './texts.ts'

/** The users, a page at a time. Filters, order and page stand in the address, so that a link shows the same. */
export function PeopleScreen() {
  const t = useTexts(peopleTexts)
  const search = useSearch({ from: '/people' })
  const navigate = useNavigate()
  const { history } = useRouter()
  const { cursor, sort, ...filters } = search
  const open = (next: PeopleSearch, replace = false) => void navigate({ to: '/people', search: next, replace })
  const page = useQuery({
    queryKey: ['people', search],
    queryFn: ({ signal }) => readPage(search, signal),
    placeholderData: keepPreviousData,
  })
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
  return (
    <>
      <h1>{t('title')}</h1>
      <PeopleFilters filters={filters} onChange={narrow} />
      <Answer of={page} refusal={t('refused')}>
        {({ users, next, prev }) => (
          <>
            {users.length === 0 && cursor === undefined ? (
              <div className="empty">
                <p>{Object.keys(filters).length > 0 ? t('noneFits') : t('none')}</p>
                {Object.keys(filters).length > 0 && <Button onClick={() => open({})}>{t('clear')}</Button>}
              </div>
            ) : (
              <PeopleTable
                users={users}
                isOld={page.isPlaceholderData}
                sort={sort}
                onSort={(by) => open({ ...filters, sort: by })}
              />
            )}
            <nav className="buttons" aria-label={t('title')}>
              <Button disabled={!prev} onClick={() => prev && open({ ...search, cursor: prev })}>
                {t('previous')}
              </Button>
              <Button disabled={!next} onClick={() => next && open({ ...search, cursor: next })}>
                {t('next')}
              </Button>
              <Download filters={filters} />
            </nav>
          </>
        )}
      </Answer>
    </>
  )
}

async function readPage(query: PeopleSearch, signal: AbortSignal) {
  const answer = await muster.GET('/api/v1/admin/users', { params: { query }, signal })
  const { users } = await unwrap(answer)
  return { users, ...cursorsOf(answer.response) }
}

/** The whole list with these filters, from one snapshot of the database. */
function Download({ filters: { q, status, role, orgId } }: { readonly filters: PeopleSearch }) {
  const t = useTexts(peopleTexts)
  const download = async () => {
    const query = {
      ...(q !== undefined && { email: q }),
      ...(status && { status }),
      ...(role !== undefined && { role }),
      ...(orgId !== undefined && { orgId }),
    }
    const headers = { Accept: 'text/csv' }
    const blob = await unwrap(muster.GET('/api/v1/admin/users/fetch', { params: { query }, headers, parseAs: 'blob' }))
    saveFile('people.csv', blob)
  }
  return <Button onClick={() => void download().catch(() => say(t('csvRefused')))}>{t('csv')}</Button>
}
