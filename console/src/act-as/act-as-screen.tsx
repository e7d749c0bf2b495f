import { isProblem } from '@muster/client'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { type ReactNode, useEffect, useState } from 'react'
import { ShownAddress } from '../me/address.tsx'
import { FactorFacts } from '../me/factors.tsx'
import { PlanFacts } from '../me/plan.tsx'
import { DeviceFacts } from '../me/sessions.tsx'
import { meTexts } from '../me/texts.ts'
import { useTexts } from '../texts.ts'
import { Answer } from '../ui/answer.tsx'
import { AttemptNote, useAttempt } from '../ui/attempt.tsx'
import { Button } from '../ui/button.tsx'
import { FactList, Moment } from '../ui/facts.tsx'
import { say } from '../ui/toast.tsx'
import { actAsMs, endActAs, endOfActAs, forgetSeen, readSeen, type Seen, seenKey } from './calls.ts'
import { actAsTexts } from './texts.ts'
import './act-as.css'

/** What a user reads of their own, as an administrator sees it for some minutes: marked, and without a button that changes anything. */
export function ActAsScreen() {
  const t = useTexts(actAsTexts)
  const { userId } = useParams({ from: '/users/$userId/as' })
  const isTimeOver = useIsTimeOver(userId)
  // Each read is recorded: nothing is read again by itself.
  const seen = useQuery({
    queryKey: seenKey(userId),
    queryFn: ({ signal }) => readSeen(userId, signal),
    enabled: !isTimeOver,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
  if (isTimeOver || isProblem(seen.error, 'act_as_ended')) return <Over userId={userId} />
  const name = seen.data?.account?.email ?? userId
  return (
    <>
      <Banner userId={userId} name={name} />
      <h1>{t('title', { name })}</h1>
      <Answer of={seen} refusal={t('refused')}>
        {(read) => <Everything seen={read} />}
      </Answer>
    </>
  )
}

/** Then nothing that was read stays on the screen. */
function useIsTimeOver(userId: string): boolean {
  const [over, setOver] = useState<string>()
  useEffect(() => {
    const end = () => {
      setOver(userId)
      forgetSeen(userId)
    }
    const timer = setTimeout(end, (endOfActAs(userId) ?? Date.now() + actAsMs) - Date.now())
    return () => clearTimeout(timer)
  }, [userId])
  return over === userId
}

function Over({ userId }: { readonly userId: string }) {
  const t = useTexts(actAsTexts)
  return (
    <>
      <h1>{t('over')}</h1>
      <p>{t('overWhat')}</p>
      <p>
        <Link to="/users/$userId" params={{ userId }}>
          {t('toUser')}
        </Link>
      </p>
    </>
  )
}

function Banner({ userId, name }: { readonly userId: string; readonly name: string }) {
  const t = useTexts(actAsTexts)
  const endsAtMs = endOfActAs(userId)
  const navigate = useNavigate()
  const attempt = useAttempt()
  const end = async () => {
    await endActAs(userId)
    say(t('ended', { name }))
    await navigate({ to: '/users/$userId', params: { userId } })
  }
  return (
    <aside className="act-as" aria-label={t('title', { name })}>
      <p className="wrap">
        <strong>{t('banner', { name })}</strong>{' '}
        {endsAtMs !== undefined && (
          <>
            {t('until')} <Moment at={new Date(endsAtMs).toISOString()} />.
          </>
        )}
      </p>
      <Button look="main" isBusy={attempt.isBusy} onClick={() => attempt.run(end)}>
        {t('end')}
      </Button>
      <AttemptNote error={attempt.error} title={t('endRefused')} />
    </aside>
  )
}

function Everything({ seen: { data, orgs, account, factors, sessions, devices } }: { readonly seen: Seen }) {
  const t = useTexts(actAsTexts)
  const me = useTexts(meTexts)
  return (
    <>
      <h2>{me('account')}</h2>
      <FactList
        facts={[
          [me('name'), account?.displayName ?? undefined],
          [me('email'), account && <ShownAddress email={account.email} isProved={account.emailProved} />],
          [me('emailPending'), account?.emailChange?.newEmail],
          [t('firstLogin'), t(data.isFirstLogin ? 'firstLoginYes' : 'firstLoginNo')],
        ]}
      />
      <h2>{me('planTitle')}</h2>
      <PlanFacts user={data} organization={orgs.find(({ id }) => id === data.orgId)?.name} />
      <Rows
        title={t('organizations')}
        none={t('organizationsNone')}
        rows={orgs.map(({ id, name, role }) => [id, `${name} · ${role}`])}
      />
      {factors && (
        <Rows
          title={me('factors')}
          none={me('factorsNone')}
          rows={factors.factors.map((factor) => [factor.id, <FactorFacts key={factor.id} factor={factor} />])}
          note={factors.factors.length > 0 ? me('codesLeft', { count: factors.recoveryCodesLeft }) : undefined}
        />
      )}
      {sessions && (
        <Rows
          title={me('openSessions')}
          none={t('sessionsNone')}
          rows={sessions.sessions.map((one) => [
            one.id,
            <DeviceFacts key={one.id} {...one} userAgent={one.userAgent} since={me('opened')} />,
          ])}
        />
      )}
      {devices && (
        <Rows
          title={me('devices')}
          none={me('devicesNone')}
          rows={devices.devices.map((device) => [
            device.id,
            <DeviceFacts key={device.id} {...device} userAgent={device.label} since={me('known')} />,
          ])}
        />
      )}
    </>
  )
}

interface RowsProps {
  readonly title: string
  /** Where there are no rows. */
  readonly none: string
  readonly rows: readonly (readonly [key: string, row: ReactNode])[]
  readonly note?: string | undefined
}

/** A list of one kind, under its heading. */
function Rows({ title, none, rows, note }: RowsProps) {
  return (
    <>
      <h2>{title}</h2>
      {rows.length === 0 ? (
        <p>{none}</p>
      ) : (
        <ul className="rows">
          {rows.map(([key, row]) => (
            <li key={key}>{row}</li>
          ))}
        </ul>
      )}
      {note !== undefined && <p>{note}</p>}
    </>
  )
}
