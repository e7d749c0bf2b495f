import { isProblem, type Schemas, unwrap } from '@muster/client'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { muster } from '../session/muster.ts'
import { ownOrganizations } from '../session/own.ts'
import { queries } from '../session/queries.ts'
import { useTexts } from '../texts.ts'
import { Skeleton } from '../ui/answer.tsx'
import { AttemptNote, useAttempt } from '../ui/attempt.tsx'
import { Button } from '../ui/button.tsx'
import { ConfirmButton } from '../ui/confirm.tsx'
import { Moment } from '../ui/facts.tsx'
import { ProblemNote } from '../ui/problem-note.tsx'
import { Table } from '../ui/table.tsx'
import { say } from '../ui/toast.tsx'
import { organizationTexts } from './texts.ts'

type Member = Schemas['Member']

interface MembersProps {
  readonly orgId: string
  readonly organization: string
  readonly mayManage: boolean
}

const pageSize = 100

export function Members({ orgId, organization, mayManage }: MembersProps) {
  const t = useTexts(organizationTexts)
  const queryKey = ['members', orgId]
  const pages = useInfiniteQuery({
    queryKey,
    initialPageParam: '',
    queryFn: ({ pageParam, signal }) => readMembers(orgId, pageParam, signal),
    getNextPageParam: ({ next }) => next,
  })
  const isMfaMissing = isProblem(pages.error, 'step_up_required')
  const members = pages.data?.pages.flatMap((page) => page.members) ?? []
  // The own role, and what it grants, may be among what has changed.
  const reload = async () => {
    const changed = [queryKey, ownOrganizations.queryKey, ['user-data', orgId]]
    await Promise.all(changed.map((key) => queries.invalidateQueries({ queryKey: key })))
  }
  const of = (member: Member): OfMember => ({ orgId, organization, member, name: member.email ?? member.id, reload })
  return (
    <>
      <h2>{t('members')}</h2>
      {isMfaMissing && <MfaMissing />}
      {pages.isError && !isMfaMissing && (
        <ProblemNote error={pages.error} title={t('membersRefused')} onRetry={() => void pages.refetch()} />
      )}
      {pages.isPending && <Skeleton />}
      {members.length > 0 && (
        <Table
          rows={members}
          keyOf={({ id }) => id}
          columns={[
            [t('member'), (member) => [member.displayName, of(member).name].filter(Boolean).join(', '), 'title'],
            [t('role'), (member) => (mayManage ? <MemberRole {...of(member)} /> : member.role)],
            [t('joined'), ({ joinedAt }) => <Moment at={joinedAt} />],
            ['', (member) => mayManage && <MemberActions {...of(member)} />],
          ]}
        />
      )}
      {pages.hasNextPage && (
        <Button isBusy={pages.isFetchingNextPage} onClick={() => void pages.fetchNextPage()}>
          {t('more')}
        </Button>
      )}
    </>
  )
}

/** The page after a member; the first one after none. */
async function readMembers(orgId: string, after: string, signal: AbortSignal) {
  const query = { limit: pageSize, ...(after !== '' && { after }) }
  const answer = await muster.GET('/api/v1/orgs/{orgId}/members', { params: { path: { orgId }, query }, signal })
  const { members } = await unwrap(answer)
  const hasNext = answer.response.headers.get('Link')?.includes('rel="next"') ?? false
  return { members, next: hasNext ? members.at(-1)?.id : undefined }
}

interface OfMember {
  readonly orgId: string
  readonly organization: string
  readonly member: Member
  readonly name: string
  readonly reload: () => Promise<void>
}

/** The roles that every installation has for members, and the present one. */
function MemberRole({ orgId, member, name, reload }: OfMember) {
  const t = useTexts(organizationTexts)
  const attempt = useAttempt()
  const give = async (role: string) => {
    const path = { orgId, userId: member.id }
    await unwrap(muster.PUT('/api/v1/orgs/{orgId}/members/{userId}/role', { params: { path }, body: { role } }))
    await reload()
  }
  const change = async (role: string) => {
    await give(role)
    say(t('roleDone', { name, role }), { label: t('undo'), run: () => attempt.run(() => give(member.role)) })
  }
  return (
    <>
      <select
        aria-label={t('changeRole', { name })}
        value={member.role}
        disabled={attempt.isBusy}
        onChange={({ target }) => attempt.run(() => change(target.value))}
      >
        {[...new Set(['member', 'owner', member.role])].map((role) => (
          <option key={role}>{role}</option>
        ))}
      </select>
      <AttemptNote error={attempt.error} title={t('roleRefused')} />
    </>
  )
}

/** A transfer makes a member the owner, and the caller a member. */
function MemberActions({ orgId, organization, member, name, reload }: OfMember) {
  const t = useTexts(organizationTexts)
  const transfer = async () => {
    const options = { params: { path: { orgId } }, body: { userId: member.id } }
    await unwrap(muster.POST('/api/v1/orgs/{orgId}/transfer', options))
    say(t('transferDone', { name, organization }))
    await reload()
  }
  const remove = async () => {
    const path = { orgId, userId: member.id }
    await unwrap(muster.DELETE('/api/v1/orgs/{orgId}/members/{userId}', { params: { path } }))
    say(t('removeDone', { name }))
    await reload()
  }
  return (
    <span className="member-actions">
      <ConfirmButton
        label={t('transfer')}
        aria-label={t('transferNamed', { name })}
        question={t('transferQuestion', { name, organization })}
        action={t('transferAction')}
        typed={organization}
        refusal={t('nothingChanged')}
        onConfirm={transfer}
      >
        {t('transferWhat')}
      </ConfirmButton>
      <ConfirmButton
        label={t('remove')}
        aria-label={t('removeNamed', { name })}
        question={t('removeQuestion', { name, organization })}
        action={t('removeAction')}
        refusal={t('removeRefused')}
        onConfirm={remove}
      >
        {t('removeWhat')}
      </ConfirmButton>
    </span>
  )
}

/** What the role of the caller grants here does not count in a session without a second factor. */
export function MfaMissing() {
  const t = useTexts(organizationTexts)
  return (
    <div className="note note-warning">
      <p>{t('mfaMissing')}</p>
      <Link to="/me">{t('toFactors')}</Link>
    </div>
  )
}
