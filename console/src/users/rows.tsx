import { Link, useNavigate } from '@tanstack/react-router'
import { type MouseEvent, memo, type Ref } from 'react'
import { useTexts } from '../texts.ts'
import { displayEmail } from '../ui/email.ts'
import { Mark, MixedScripts, Moment, type Tone } from '../ui/facts.tsx'
import type { ListedUser, UsersSearch } from './calls.ts'
import { usersTexts } from './texts.ts'

type Sort = NonNullable<UsersSearch['sort']>

interface ListHeadProps {
  readonly sort: Sort | undefined
  readonly onSort: (sort: Sort) => void
  /** Whether all that are in view are chosen. */
  readonly isAllSelected: boolean
  readonly onSelectAll: (isOn: boolean) => void
}

export function ListHead({ sort = '-created', onSort, isAllSelected, onSelectAll }: ListHeadProps) {
  const t = useTexts(usersTexts)
  const heads = { sort, onSort }
  return (
    <thead>
      <tr aria-rowindex={1}>
        <th scope="col" className="select">
          <label>
            <input
              type="checkbox"
              aria-label={t('selectAll')}
              title={t('selectAll')}
              checked={isAllSelected}
              onChange={({ target }) => onSelectAll(target.checked)}
            />
          </label>
        </th>
        <SortableHead {...heads} by="email" />
        <th scope="col">{t('role')}</th>
        <th scope="col">{t('status')}</th>
        <th scope="col">{t('plan')}</th>
        <SortableHead {...heads} by="created" />
        <th scope="col">{t('lastSignIn')}</th>
      </tr>
    </thead>
  )
}

interface SortableHeadProps {
  readonly by: 'email' | 'created'
  readonly sort: Sort
  readonly onSort: (sort: Sort) => void
}

function SortableHead({ by, sort, onSort }: SortableHeadProps) {
  const t = useTexts(usersTexts)
  const direction = sort === by ? 'ascending' : sort === `-${by}` ? 'descending' : 'none'
  return (
    <th scope="col" className={`column-${by}`} aria-sort={direction}>
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

export const statusTones: Readonly<Record<ListedUser['status'], Tone>> = {
  active: 'good',
  disabled: 'warning',
  erasing: 'bad',
}

interface UserRowProps {
  readonly user: ListedUser
  /** In the list, from 0. */
  readonly row: number
  readonly isSelected: boolean
  readonly onSelect: (user: ListedUser, row: number, isRange: boolean) => void
  readonly measure?: Ref<HTMLTableRowElement>
}

/** The link is for keyboards and screen readers; a click anywhere in the row does the same. */
export const UserRow = memo(function UserRow({ user, row, isSelected, onSelect, measure }: UserRowProps) {
  const t = useTexts(usersTexts)
  const navigate = useNavigate()
  const to = { to: '/users/$userId', params: { userId: user.id }, state: { fromList: true } } as const
  const name = user.email === undefined ? user.id : displayEmail(user.email)
  const open = ({ target }: MouseEvent) => {
    // The link itself also opens new tabs and windows.
    if (target instanceof Element && target.closest('a, label, input') === null) void navigate(to)
  }
  return (
    <tr
      ref={measure}
      data-index={row}
      data-id={user.id}
      aria-rowindex={row + 2}
      data-selected={isSelected}
      onClick={open}
    >
      <td className="select">
        <label>
          <input
            type="checkbox"
            aria-label={t('select', { name })}
            checked={isSelected}
            // The click has the key Shift, which the change has not.
            onClick={({ shiftKey }) => onSelect(user, row, shiftKey)}
            onChange={() => {}}
          />
        </label>
      </td>
      <td className="user-name">
        <Link {...to} className="user-link">
          {name}
        </Link>{' '}
        {user.email === undefined ? (
          <Mark tone="neutral">{t('noEmail')}</Mark>
        ) : (
          <>
            <MixedScripts email={user.email} /> {!user.emailProved && <Mark tone="unknown">{t('notProved')}</Mark>}
          </>
        )}
        {user.displayName !== undefined && <div>{user.displayName}</div>}
      </td>
      <td data-label={t('role')}>
        {user.role} {user.isAdministrator && <Mark tone="neutral">{t('administrator')}</Mark>}
      </td>
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
})
