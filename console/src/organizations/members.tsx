import { isProblem, type Schemas, unwrap } from '@muster/client'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { muster } from '../session/muster.ts'
import { queries } from '../session/queries.ts'
import { useTexts } from '../texts.ts'
import { Skeleton } from '../ui/answer.tsx'
import { useAttempt } from '../ui/attempt.tsx'
import { Button } from '../ui/button.tsx'
import { Confirm } from '../ui/confirm.tsx'
import { Moment } from '../ui/facts.tsx'
import { ProblemNote } from '../ui/problem-note.tsx'
import { say } from '../ui/toast.tsx'
import { ownOrganizations } from './own-organizations.ts'
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
  const [removing, setRemoving] = useState<Member>()
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
  const reload = () =>
    Promise.all(
      [queryKey, ownOrganizations.queryKey, ['user-data', orgId]].map((key) =>
        queries.invalidateQueries({ queryKey: key }),
      ),
    )
  const remove = async () => {
    if (!removing) return
    const path = { orgId, userId: removing.id }
    await unwrap(muster.DELETE('/api/v1/orgs/{orgId}/members/{userId}', { params: { path } }))
    say(t('removeDone', { name: nameOf(removing) }))
    await reload()
  }
  return (
    <>
      <h2>{t('members')}</h2>
      {isMfaMissing && <MfaMissing />}
      {pages.isError && !isMfaMissing && (
        <ProblemNote error={pages.error} title={t('membersRefused')} onRetry={() => void pages.refetch()} />
      )}
      {pages.isPending && <Skeleton />}
      {members.length > 0 && (
        <MemberTable {...{ orgId, organization, members, mayManage }} onRemove={setRemoving} onChanged={reload} />
      )}
      {pages.hasNextPage && (
        <Button isBusy={pages.isFetchingNextPage} onClick={() => void pages.fetchNextPage()}>
          {t('more')}
        </Button>
      )}
      <Confirm
        isOpen={removing !== undefined}
        question={t('removeQuestion', { name: removing ? nameOf(removing) : '', organization })}
        action={t('removeAction')}
        refusal={t('removeRefused')}
        onConfirm={remove}
        onClose={() => setRemoving(undefined)}
      >
        {t('removeWhat')}
      </Confirm>
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

interface MemberTableProps {
  readonly orgId: string
  readonly members: readonly Member[]
  readonly mayManage: boolean
  readonly organization: string
  readonly onRemove: (member: Member) => void
  readonly onChanged: () => Promise<unknown>
}

function MemberTable({ orgId, organization, members, mayManage, onRemove, onChanged }: MemberTableProps) {
  const t = useTexts(organizationTexts)
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">{t('member')}</th>
          <th scope="col">{t('memberRole')}</th>
          <th scope="col">{t('joined')}</th>
          <td />
        </tr>
      </thead>
      <tbody>
        {members.map((member) => (
          <tr key={member.id}>
            <td>{nameOf(member)}</td>
            <td data-label={t('memberRole')}>
              {mayManage ? <MemberRole {...{ orgId, member, onChanged }} /> : member.role}
            </td>
            <td data-label={t('joined')}>
              <Moment at={member.joinedAt} />
            </td>
            <td className="member-actions">
              {mayManage && (
                <Transfer {...{ orgId, organization, onChanged }} member={{ id: member.id, name: nameOf(member) }} />
              )}
              {mayManage && (
                <Button aria-label={t('removeNamed', { name: nameOf(member) })} onClick={() => onRemove(member)}>
                  {t('remove')}
                </Button>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** The roles that every installation has for members, and the present one. */
function MemberRole({
  orgId,
  member,
  onChanged,
}: Pick<MemberTableProps, 'orgId' | 'onChanged'> & { readonly member: Member }) {
  const t = useTexts(organizationTexts)
  const attempt = useAttempt()
  const name = nameOf(member)
  const give = async (role: string) => {
    const path = { orgId, userId: member.id }
    await unwrap(muster.PUT('/api/v1/orgs/{orgId}/members/{userId}/role', { params: { path }, body: { role } }))
    await onChanged()
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
      {attempt.error !== undefined && <ProblemNote error={attempt.error} title={t('roleRefused')} />}
    </>
  )
}

function nameOf({ email, id }: Member): string {
  return email ?? id
}

interface TransferProps {
  readonly orgId: string
  readonly organization: string
  readonly member: { readonly id: string; readonly name: string }
  readonly onChanged: () => Promise<unknown>
}

/** Makes a member the owner, and the caller a member. */
export function Transfer({ orgId, organization, member, onChanged }: TransferProps) {
  const t = useTexts(organizationTexts)
  const [isAsking, setIsAsking] = useState(false)
  const transfer = async () => {
    const options = { params: { path: { orgId } }, body: { userId: member.id } }
    await unwrap(muster.POST('/api/v1/orgs/{orgId}/transfer', options))
    say(t('transferDone', { name: member.name, organization }))
    await onChanged()
  }
  return (
    <>
      <Button aria-label={t('transferNamed', { name: member.name })} onClick={() => setIsAsking(true)}>
        {t('transfer')}
      </Button>
      <Confirm
        isOpen={isAsking}
        question={t('transferQuestion', { name: member.name, organization })}
        action={t('transferAction')}
        typed={organization}
        refusal={t('transferRefused')}
        onConfirm={transfer}
        onClose={() => setIsAsking(false)}
      >
        {t('transferWhat')}
      </Confirm>
    </>
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
