import type { components } from '@muster/client'
import { Link, useNavigate } from '@tanstack/react-router'
import { type KeyboardEvent, type MouseEvent, useRef } from 'react'
import { useTexts } from '../texts/texts.ts'
import { Mark, type Tone } from '../ui/mark.tsx'
import { Moment } from '../ui/moment.tsx'
import type { PeopleSearch } from './search.ts'
import { peopleTexts } from './texts.ts'

type ListedUser = components['schemas']['ListedUser']
type Sort = NonNullable<PeopleSearch['sort']>

interface PeopleTableProps {
  readonly users: readonly ListedUser[]
  /** Of the page before, while the next one is read. */
  readonly isOld: boolean
  readonly sort: Sort | undefined
  readonly onSort: (sort: Sort) => void
}

export const statusTones: Readonly<Record<ListedUser['status'], Tone>> = {
  active: 'good',
  disabled: 'warning',
  erasing: 'bad',
}

/** `j` and `k` or the arrows move from person to person, Enter opens one. */
export function PeopleTable({ users, isOld, sort = '-created', onSort }: PeopleTableProps) {
  const t = useTexts(peopleTexts)
  const body = useRef<HTMLTableSectionElement>(null)
  const heads = { sort, onSort }
  return (
    <table className="people" aria-busy={isOld}>
      <thead>
        <tr>
          <SortableHead {...heads} by="email" />
          <th scope="col">{t('role')}</th>
          <th scope="col">{t('status')}</th>
          <th scope="col">{t('plan')}</th>
          <SortableHead {...heads} by="created" />
          <th scope="col">{t('lastSignIn')}</th>
        </tr>
      </thead>
      <tbody ref={body} onKeyDown={(event) => moveFocus(event, body.current)}>
        {users.map((user) => (
          <Row key={user.id} user={user} />
        ))}
      </tbody>
    </table>
  )
}

interface SortableHeadProps extends Pick<PeopleTableProps, 'onSort'> {
  readonly by: 'email' | 'created'
  readonly sort: Sort
}

function SortableHead({ by, sort, onSort }: SortableHeadProps) {
  const t = useTexts(peopleTexts)
  const direction = sort === by ? 'ascending' : sort === `-${by}` ? 'descending' : 'none'
  return (
    <th scope="col" aria-sort={direction}>
      <button
        type="button"
        className="sort"
        title={t('sortBy', { column: t(by) })}
        onClick={() => onSort(direction === 'ascending' ? `-${by}` : by)}
      >
        {t(by)}{' '}
        <span aria-hidden="true">{direction === 'ascending' ? '↑' : direction === 'descending' ? '↓' : ''}</span>
      </button>
    </th>
  )
}

function Row({ user }: { readonly user: ListedUser }) {
  const t = useTexts(peopleTexts)
  const navigate = useNavigate()
  const params = { userId: user.id }
  const open = ({ target }: MouseEvent) => {
    // The link itself also opens new tabs and windows.
    if (target instanceof Element && target.closest('a') === null) void navigate({ to: '/people/$userId', params })
  }
  return (
    // The link is for keyboards and screen readers; a click anywhere in the row does the same.
    <tr onClick={open}>
      <td>
        <Link to="/people/$userId" params={params} className="person-link">
          {user.email ?? user.id}
        </Link>{' '}
        {user.email === undefined ? (
          <Mark tone="neutral">{t('noEmail')}</Mark>
        ) : (
          !user.emailProved && <Mark tone="unknown">{t('notProved')}</Mark>
        )}
      </td>
      <td data-label={t('role')}>{user.role}</td>
      <td data-label={t('status')}>
        <Mark tone={statusTones[user.status]}>{t(user.status)}</Mark>
      </td>
      <td data-label={t('plan')}>{user.plan ?? <Mark tone="neutral">{t('noPlan')}</Mark>}</td>
      <td data-label={t('created')}>
        <Moment at={user.createdAt} />
      </td>
      <td data-label={t('lastSignIn')}>
        {user.lastSignInAt === undefined ? (
          <Mark tone="unknown">{t('notKnown')}</Mark>
        ) : (
          <Moment at={user.lastSignInAt} />
        )}
      </td>
    </tr>
  )
}

function moveFocus(event: KeyboardEvent, body: HTMLElement | null): void {
  const step = { j: 1, ArrowDown: 1, k: -1, ArrowUp: -1 }[event.key]
  if (step === undefined || body === null) return
  event.preventDefault()
  const links: readonly HTMLElement[] = [...body.querySelectorAll<HTMLElement>('.person-link')]
  const present = links.findIndex((link) => link.matches(':focus'))
  links[present + step]?.focus()
}
