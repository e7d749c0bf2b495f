import { type Schemas, unwrap } from '@muster/client'
import { useQuery } from '@tanstack/react-query'
import { muster } from '../session/muster.ts'
import { queries } from '../session/queries.ts'
import { reading } from '../session/reading.ts'
import { useTexts } from '../texts.ts'
import { Answer } from '../ui/answer.tsx'
import { ConfirmButton } from '../ui/confirm.tsx'
import { Mark, Moment, type Tone } from '../ui/facts.tsx'
import { Table } from '../ui/table.tsx'
import { say } from '../ui/toast.tsx'
import { systemTexts } from './texts.ts'

type ServiceKey = Schemas['ServiceKeyRecord']

const queryKey = ['service-keys']
const tones: Readonly<Record<ServiceKey['status'], Tone>> = {
  active: 'good',
  rotated: 'warning',
  expired: 'neutral',
  revoked: 'neutral',
}

export function ServiceKeys() {
  const t = useTexts(systemTexts)
  const list = useQuery(reading(queryKey, (signal) => muster.GET('/api/v1/admin/service-keys', { signal })))
  return (
    <>
      <h2>{t('keys')}</h2>
      <p>
        {t('keysIntro')} {t('make')}
      </p>
      <Answer of={list} refusal={t('keysRefused')}>
        {({ keys }) => <KeyTable keys={keys} />}
      </Answer>
    </>
  )
}

function KeyTable({ keys }: { readonly keys: readonly ServiceKey[] }) {
  const t = useTexts(systemTexts)
  return (
    <Table
      rows={keys}
      none={t('keysNone')}
      keyOf={({ id }) => id}
      columns={[
        [t('name'), ({ name }) => name, 'title'],
        [t('hint'), ({ hint }) => <code>{hint}</code>],
        [t('permissions'), permissionsOf],
        [t('status'), ({ status }) => <Mark tone={tones[status]}>{t(status)}</Mark>],
        [t('expires'), ({ expiresAt }) => <Moment at={expiresAt} />],
        [t('lastUsed'), ({ lastUsedAt }) => (lastUsedAt === undefined ? t('unused') : <Moment at={lastUsedAt} />)],
        ['', (key) => (key.status === 'active' || key.status === 'rotated') && <Revoke {...key} />],
      ]}
    />
  )
}

function Revoke({ id, name }: ServiceKey) {
  const t = useTexts(systemTexts)
  const revoke = async () => {
    await unwrap(muster.DELETE('/api/v1/admin/service-keys/{keyId}', { params: { path: { keyId: id } } }))
    say(t('revokeDone', { name }))
    await queries.invalidateQueries({ queryKey })
  }
  return (
    <ConfirmButton
      look="danger"
      label={t('revoke')}
      aria-label={`${t('revoke')}: ${name}`}
      question={t('revokeQuestion', { name })}
      action={t('revokeAction')}
      refusal={t('revokeRefused')}
      onConfirm={revoke}
    >
      {t('revokeWhat')}
    </ConfirmButton>
  )
}

/** `users:list, user_data:read`, as the permissions are written elsewhere. */
function permissionsOf({ permissions }: ServiceKey): string {
  return Object.entries(permissions)
    .flatMap(([resource, actions]) => actions.map((action) => `${resource}:${action}`))
    .join(', ')
}
