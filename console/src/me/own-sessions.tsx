import { type Schemas, unwrap } from '@muster/client'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { muster, session } from '../session/muster.ts'
import { queries } from '../session/queries.ts'
import { useTexts } from '../texts/texts.ts'
import { Answer } from '../ui/answer.tsx'
import { Button } from '../ui/button.tsx'
import { Confirm } from '../ui/confirm.tsx'
import { Mark } from '../ui/mark.tsx'
import { Moment } from '../ui/moment.tsx'
import { ProblemNote } from '../ui/problem-note.tsx'
import { say } from '../ui/toast.tsx'
import { useAttempt } from '../ui/use-attempt.ts'
import { deviceName } from './device-name.ts'
import { meTexts } from './texts.ts'

const queryKey = ['own-sessions']

export function OwnSessions() {
  const t = useTexts(meTexts)
  const attempt = useAttempt()
  const list = useQuery({ queryKey, queryFn: ({ signal }) => unwrap(muster.GET('/auth/sessions', { signal })) })
  const end = async (sessionId: string) => {
    await unwrap(muster.DELETE('/auth/sessions/{sessionId}', { params: { path: { sessionId } } }))
    say(t('endDone'))
    await queries.invalidateQueries({ queryKey })
  }
  return (
    <>
      <h2>{t('sessions')}</h2>
      <Answer of={list} refusal={t('sessionsRefused')}>
        {({ sessions }) => (
          <ul className="rows">
            {sessions.map((one) => (
              <li key={one.id}>
                <SessionFacts session={one} />
                {!one.isCurrent && (
                  <Button
                    aria-label={t('endNamed', {
                      name: one.userAgent ? deviceName(one.userAgent) : (one.address ?? t('device')),
                    })}
                    isBusy={attempt.isBusy}
                    onClick={() => attempt.run(() => end(one.id))}
                  >
                    {t('end')}
                  </Button>
                )}
              </li>
            ))}
          </ul>
        )}
      </Answer>
      {attempt.error !== undefined && <ProblemNote error={attempt.error} title={t('endRefused')} />}
      <SignOutEverywhere />
    </>
  )
}

export function SessionFacts({ session }: { readonly session: Schemas['Sessions']['sessions'][number] }) {
  const t = useTexts(meTexts)
  const { isCurrent, address, userAgent, createdAt, lastUsedAt } = session
  return (
    <div className="wrap">
      <span title={userAgent}>{userAgent ? deviceName(userAgent) : t('device')}</span>{' '}
      {isCurrent && <Mark tone="good">{t('thisOne')}</Mark>}
      <p className="row-note">
        {address !== undefined && `${address} · `}
        {t('opened')} <Moment at={createdAt} /> · {t('lastUsed')} <Moment at={lastUsedAt} />
      </p>
    </div>
  )
}

function SignOutEverywhere() {
  const t = useTexts(meTexts)
  const [isAsking, setIsAsking] = useState(false)
  const everywhere = async () => {
    await unwrap(muster.POST('/auth/sign-out-everywhere'))
    await session.signOut()
  }
  return (
    <>
      <div className="buttons">
        <Button look="danger" onClick={() => setIsAsking(true)}>
          {t('everywhere')}
        </Button>
      </div>
      <Confirm
        isOpen={isAsking}
        question={t('everywhereQuestion')}
        action={t('everywhere')}
        refusal={t('everywhereRefused')}
        onConfirm={everywhere}
        onClose={() => setIsAsking(false)}
      >
        {t('everywhereWhat')}
      </Confirm>
    </>
  )
}
