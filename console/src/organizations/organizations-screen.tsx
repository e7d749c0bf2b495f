import { type Schemas, unwrap } from '@muster/client'
import { RequirePermission } from '@muster/react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { muster } from '../session/muster.ts'
import { ownOrganizations } from '../session/own.ts'
import { queries } from '../session/queries.ts'
import { useTexts } from '../texts.ts'
import { Answer } from '../ui/answer.tsx'
import { AttemptNote, useAttempt } from '../ui/attempt.tsx'
import { Button } from '../ui/button.tsx'
import { Mark, Moment } from '../ui/facts.tsx'
import { Field } from '../ui/field.tsx'
import { cursorsOf, PageButtons, useFirstPageAgain } from '../ui/pages.tsx'
import { Table } from '../ui/table.tsx'
import { say } from '../ui/toast.tsx'
import { ReceivedInvitations } from './received-invitations.tsx'
import { invitationOf, type OrganizationsSearch } from './search.ts'
import { organizationTexts } from './texts.ts'

type OwnOrganization = Schemas['OwnOrganization']

/** The caller's organisations, and the ways into one: making it, or an invitation. */
export function OrganizationsScreen() {
  const t = useTexts(organizationTexts)
  const list = useQuery(ownOrganizations)
  return (
    <>
      <h1>{t('organizations')}</h1>
      <p>{t('intro')}</p>
      <Answer of={list} refusal={t('refused')}>
        {({ orgs }) => <OwnTable organizations={orgs} />}
      </Answer>
      <ReceivedInvitations />
      <RequirePermission resource="organization" action="create">
        <OneFieldForm
          title={t('create')}
          label={t('name')}
          refusal={t('createRefused')}
          run={async (name) => {
            const made = await unwrap(muster.POST('/api/v1/orgs', { body: { name } }))
            say(t('createDone', { name: made.name }))
          }}
        />
      </RequirePermission>
      <OneFieldForm
        title={t('accept')}
        label={t('token')}
        hint={t('acceptHint')}
        isSecret
        refusal={t('acceptRefused')}
        run={async (token) => {
          const body = { token: invitationOf(token) }
          const joined = await unwrap(muster.POST('/api/v1/orgs/accept-invitation', { body }))
          say(t('acceptDone', { name: joined.name }))
        }}
      />
      <RequirePermission resource="organizations" action="list">
        <EveryOrganization />
      </RequirePermission>
    </>
  )
}

function OwnTable({ organizations }: { readonly organizations: readonly OwnOrganization[] }) {
  const t = useTexts(organizationTexts)
  return (
    <Table
      rows={organizations}
      none={t('none')}
      keyOf={({ id }) => id}
      columns={[
        [
          t('name'),
          ({ id, name }) => (
            <Link to="/organizations/$orgId" params={{ orgId: id }}>
              {name}
            </Link>
          ),
          'title',
        ],
        [t('yourRole'), ({ role }) => role],
      ]}
    />
  )
}

interface OneFieldFormProps {
  readonly title: string
  readonly label: string
  readonly hint?: string
  readonly isSecret?: boolean
  readonly refusal: string
  readonly run: (value: string) => Promise<void>
}

function OneFieldForm({ title, label, hint, isSecret = false, refusal, run }: OneFieldFormProps) {
  const attempt = useAttempt()
  const [value, setValue] = useState('')
  const submit = async () => {
    await run(value.trim())
    setValue('')
    await queries.invalidateQueries({ queryKey: ownOrganizations.queryKey })
  }
  return (
    <form onSubmit={attempt.submit(submit)}>
      <h2>{title}</h2>
      <Field
        label={label}
        {...(hint !== undefined && { hint })}
        type={isSecret ? 'password' : 'text'}
        autoComplete="off"
        required
        value={value}
        onType={setValue}
      />
      <AttemptNote error={attempt.error} title={refusal} />
      <Button type="submit" isBusy={attempt.isBusy}>
        {title}
      </Button>
    </form>
  )
}

type ListedOrganization = Schemas['ListedOrganization']

/** The organisations of the service, for administrators, a page at a time. */
function EveryOrganization() {
  const t = useTexts(organizationTexts)
  const search = useSearch({ from: '/organizations' })
  const navigate = useNavigate()
  const open = (next: OrganizationsSearch) => void navigate({ to: '/organizations', search: next })
  const page = useQuery({
    queryKey: ['every-organization', search],
    queryFn: ({ signal }) => readPage(search, signal),
    placeholderData: keepPreviousData,
  })
  useFirstPageAgain(search.cursor && page.error, () => {
    const { cursor: _, ...first } = search
    void navigate({ to: '/organizations', search: first, replace: true })
  })
  return (
    <>
      <h2>{t('every')}</h2>
      <NameSearch q={search.q ?? ''} onSearch={(q) => open(q === '' ? {} : { q })} />
      <Answer of={page} refusal={t('everyRefused')}>
        {({ organizations, ...pages }) => (
          <>
            <EveryTable
              organizations={organizations}
              none={t(search.q === undefined ? 'everyNone' : 'noneFits')}
              isOld={page.isPlaceholderData}
            />
            <PageButtons name={t('every')} page={pages} onOpen={(cursor) => open({ ...search, cursor })} />
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
          onType={setTyped}
        />
      </form>
    </search>
  )
}

interface EveryTableProps {
  readonly organizations: readonly ListedOrganization[]
  readonly none: string
  /** Of the page before, while the next one is read. */
  readonly isOld: boolean
}

function EveryTable({ organizations, none, isOld }: EveryTableProps) {
  const t = useTexts(organizationTexts)
  return (
    <Table
      rows={organizations}
      none={none}
      keyOf={({ id }) => id}
      isOld={isOld}
      columns={[
        [
          t('name'),
          ({ id, name }) => (
            <Link to="/users" search={{ orgId: id }} aria-label={t('membersOf', { name })}>
              {name}
            </Link>
          ),
          'title',
        ],
        [t('count'), ({ members }) => members],
        [t('plan'), ({ plan }) => plan ?? <Mark tone="neutral">{t('noPlan')}</Mark>],
        [
          t('security'),
          ({ requiresMfa }) => (
            <Mark tone={requiresMfa ? 'good' : 'neutral'}>{t(requiresMfa ? 'requiredShort' : 'notRequired')}</Mark>
          ),
        ],
        [t('created'), ({ createdAt }) => <Moment at={createdAt} />],
      ]}
    />
  )
}
