import { isProblem, type Schemas, unwrap } from '@muster/client'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { muster } from '../session/muster.ts'
import { useTexts } from '../texts/texts.ts'
import { Answer } from '../ui/answer.tsx'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { cursorsOf } from '../ui/links.ts'
import { Mark } from '../ui/mark.tsx'
import { Moment } from '../ui/moment.tsx'
import { say } from '../ui/toast.tsx'
import type { OrganizationsSearch } from './search.ts'
import { organizationTexts } from './texts.ts'

type Organization = Schemas['ListedOrganization']

/** The organisations of the service, for administrators, a page at a time. */
export function EveryOrganization() {
  const t = useTexts(organizationTexts)
  const search = useSearch({ from: '/organizations' })
  const navigate = useNavigate()
  const open = (next: OrganizationsSearch) => void navigate({ to: '/organizations', search: next })
  const page = useQuery({
    queryKey: ['every-organization', search],
    queryFn: ({ signal }) => readPage(search, signal),
    placeholderData: keepPreviousData,
  })
  const isCursorGone = search.cursor !== undefined && isProblem(page.error, 'cursor_invalid')
  useEffect(() => {
    if (!isCursorGone) return
    say(t('firstAgain'))
    const { cursor: _, ...first } = search
    void navigate({ to: '/organizations', search: first, replace: true })
  }, [isCursorGone, navigate, search, t])
  return (
    <>
      <h2>{t('every')}</h2>
      <NameSearch q={search.q ?? ''} onSearch={(q) => open(q === '' ? {} : { q })} />
      <Answer of={page} refusal={t('everyRefused')}>
        {({ organizations, next, prev }) => (
          <>
            {organizations.length === 0 ? (
              <p className="empty">{t(search.q === undefined ? 'everyNone' : 'noneFits')}</p>
            ) : (
              <Table organizations={organizations} isOld={page.isPlaceholderData} />
            )}
            <nav className="buttons" aria-label={t('every')}>
              <Button disabled={!prev} onClick={() => prev && open({ ...search, cursor: prev })}>
                {t('previous')}
              </Button>
              <Button disabled={!next} onClick={() => next && open({ ...search, cursor: next })}>
                {t('next')}
              </Button>
            </nav>
          </>
        )}
      </Answer>
    </>
  )
}

async function readPage(query: OrganizationsSearch, signal: AbortSignal) {
  const answer = await muster.GET('/api/v1/admin/organizations', { params: { query }, signal })
  const { organizations } = await unwrap(answer)
  return { organizations, ...cursorsOf(answer.response) }
}

interface NameSearchProps {
  readonly q: string
  readonly onSearch: (q: string) => void
}

function NameSearch({ q, onSearch }: NameSearchProps) {
  const t = useTexts(organizationTexts)
  const [typed, setTyped] = useState(q)
  useEffect(() => setTyped(q), [q])
  return (
    <search>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          onSearch(typed.trim())
        }}
      >
        <Field
          label={t('search')}
          type="search"
          value={typed}
          autoComplete="off"
          spellCheck={false}
          onChange={({ target }) => setTyped(target.value)}
        />
      </form>
    </search>
  )
}

interface TableProps {
  readonly organizations: readonly Organization[]
  /** Of the page before, while the next one is read. */
  readonly isOld: boolean
}

function Table({ organizations, isOld }: TableProps) {
  const t = useTexts(organizationTexts)
  return (
    <table aria-busy={isOld}>
      <thead>
        <tr>
          <th scope="col">{t('name')}</th>
          <th scope="col">{t('count')}</th>
          <th scope="col">{t('plan')}</th>
          <th scope="col">{t('security')}</th>
          <th scope="col">{t('created')}</th>
        </tr>
      </thead>
      <tbody>
        {organizations.map(({ id, name, members, plan, requiresMfa, createdAt }) => (
          <tr key={id}>
            <td>
              <Link to="/people" search={{ orgId: id }} aria-label={t('membersOf', { name })}>
                {name}
              </Link>
            </td>
            <td data-label={t('count')}>{members}</td>
            <td data-label={t('plan')}>{plan ?? <Mark tone="neutral">{t('noPlan')}</Mark>}</td>
            <td data-label={t('security')}>
              {requiresMfa ? (
                <Mark tone="good">{t('requiredShort')}</Mark>
              ) : (
                <Mark tone="neutral">{t('notRequired')}</Mark>
              )}
            </td>
            <td data-label={t('created')}>
              <Moment at={createdAt} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
