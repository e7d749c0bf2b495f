import { type Schemas, unwrap } from '@muster/client'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { muster } from '../session/muster.ts'
import { queries } from '../session/queries.ts'
import { useTexts } from '../texts.ts'
import { Answer } from '../ui/answer.tsx'
import { Button } from '../ui/button.tsx'
import { Confirm } from '../ui/confirm.tsx'
import { Mark, Moment, type Tone } from '../ui/facts.tsx'
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
  const [revoking, setRevoking] = useState<ServiceKey>()
  const list = useQuery({
    queryKey,
    queryFn: ({ signal }) => unwrap(muster.GET('/api/v1/admin/service-keys', { signal })),
  })
  const revoke = async () => {
    if (!revoking) return
    await unwrap(muster.DELETE('/api/v1/admin/service-keys/{keyId}', { params: { path: { keyId: revoking.id } } }))
    say(t('revokeDone', { name: revoking.name }))
    await queries.invalidateQueries({ queryKey })
  }
  return (
    <>
      <h2>{t('keys')}</h2>
      <p>
        {t('keysIntro')} {t('make')}
      </p>
      <Answer of={list} refusal={t('keysRefused')}>
        {({ keys }) =>
          keys.length === 0 ? <p className="empty">{t('keysNone')}</p> : <KeyTable keys={keys} onRevoke={setRevoking} />
        }
      </Answer>
      <Confirm
        isOpen={revoking !== undefined}
        question={t('revokeQuestion', { name: revoking?.name ?? '' })}
        action={t('revokeAction')}
        refusal={t('revokeRefused')}
        onConfirm={revoke}
        onClose={() => setRevoking(undefined)}
      >
        {t('revokeWhat')}
      </Confirm>
    </>
  )
}

interface KeyTableProps {
  readonly keys: readonly ServiceKey[]
  readonly onRevoke: (key: ServiceKey) => void
}

function KeyTable({ keys, onRevoke }: KeyTableProps) {
  const t = useTexts(systemTexts)
  const columns = ['name', 'hint', 'permissions', 'status', 'expires', 'lastUsed'] as const
  return (
    <table>
      <thead>
        <tr>
          {columns.map((column) => (
            <th key={column} scope="col">
              {t(column)}
            </th>
          ))}
          <td />
        </tr>
      </thead>
      <tbody>
        {keys.map((key) => (
          <tr key={key.id}>
            <td>{key.name}</td>
            <td>
              <code>{key.hint}</code>
            </td>
            <td>{permissionsOf(key)}</td>
            <td>
              <Mark tone={tones[key.status]}>{t(key.status)}</Mark>
            </td>
            <td>
              <Moment at={key.expiresAt} />
            </td>
            <td>{key.lastUsedAt === undefined ? t('unused') : <Moment at={key.lastUsedAt} />}</td>
            <td>
              {(key.status === 'active' || key.status === 'rotated') && (
                <Button look="danger" onClick={() => onRevoke(key)} aria-label={`${t('revoke')}: ${key.name}`}>
                  {t('revoke')}
                </Button>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** `users:list, user_data:read`, as the permissions are written elsewhere. */
function permissionsOf({ permissions }: ServiceKey): string {
  return Object.entries(permissions)
    .flatMap(([resource, actions]) => actions.map((action) => `${resource}:${action}`))
    .join(', ')
}
