import { type Schemas, unwrap } from '@muster/client'
import { RequirePermission } from '@muster/react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { muster } from '../session/muster.ts'
import { queries } from '../session/queries.ts'
import { useTexts } from '../texts/texts.ts'
import { Answer } from '../ui/answer.tsx'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { ProblemNote } from '../ui/problem-note.tsx'
import { say } from '../ui/toast.tsx'
import { useAttempt } from '../ui/use-attempt.ts'
import { EveryOrganization } from './every-organization.tsx'
import { ownOrganizations } from './own-organizations.ts'
import { invitationOf } from './search.ts'
import { organizationTexts } from './texts.ts'

type Organization = Schemas['OwnOrganization']

/** The caller's organisations, and the ways into one: making it, or an invitation. */
export function OrganizationsScreen() {
  const t = useTexts(organizationTexts)
  const list = useQuery(ownOrganizations)
  return (
    <>
      <h1>{t('title')}</h1>
      <p>{t('intro')}</p>
      <Answer of={list} refusal={t('refused')}>
        {({ orgs }) => (orgs.length === 0 ? <p className="empty">{t('none')}</p> : <List organizations={orgs} />)}
      </Answer>
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

function List({ organizations }: { readonly organizations: readonly Organization[] }) {
  const t = useTexts(organizationTexts)
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">{t('name')}</th>
          <th scope="col">{t('role')}</th>
        </tr>
      </thead>
      <tbody>
        {organizations.map(({ id, name, role }) => (
          <tr key={id}>
            <td>
              <Link to="/organizations/$orgId" params={{ orgId: id }}>
                {name}
              </Link>
            </td>
            <td>{role}</td>
          </tr>
        ))}
      </tbody>
    </table>
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
    <form
      onSubmit={(event) => {
        event.preventDefault()
        attempt.run(submit)
      }}
    >
      <h2>{title}</h2>
      <Field
        label={label}
        {...(hint !== undefined && { hint })}
        type={isSecret ? 'password' : 'text'}
        autoComplete="off"
        required
        value={value}
        onChange={({ target }) => setValue(target.value)}
      />
      {attempt.error !== undefined && <ProblemNote error={attempt.error} title={refusal} />}
      <Button type="submit" isBusy={attempt.isBusy}>
        {title}
      </Button>
    </form>
  )
}
