import { unwrap } from '@muster/client'
import { hasPermission, RequirePermission, useUser } from '@muster/react'
import { useQuery } from '@tanstack/react-query'
import { muster } from '../session/muster.ts'
import { useTexts } from '../texts.ts'
import { Answer } from '../ui/answer.tsx'
import { FactList, Mark } from '../ui/facts.tsx'
import { ServiceKeys } from './service-keys.tsx'
import { SystemStatus } from './system-status.tsx'
import { statusTexts, systemTexts } from './texts.ts'
import './system.css'

/** Whether the service works, and with what. */
export function SystemScreen() {
  const t = useTexts(systemTexts)
  return (
    <>
      <h1>{t('title')}</h1>
      <Node />
      <RequirePermission resource="service_keys" action="manage">
        <ServiceKeys />
      </RequirePermission>
    </>
  )
}

/** The whole state for those who may read it; for all others, and where it cannot be read, whether the node is ready. */
function Node() {
  const t = useTexts(statusTexts)
  const current = useUser()
  const isAllowed = current.status === 'ready' && hasPermission(current.user, 'system', 'read')
  const status = useQuery({
    queryKey: ['system'],
    queryFn: ({ signal }) => unwrap(muster.GET('/api/v1/admin/system', { signal })),
    refetchInterval: 10_000,
    enabled: isAllowed,
  })
  return (
    <>
      {isAllowed && (
        <Answer of={status} refusal={t('notRead')}>
          {(read) => <SystemStatus status={read} />}
        </Answer>
      )}
      {(!isAllowed || status.isError) && <Readiness />}
    </>
  )
}

function Readiness() {
  const t = useTexts(systemTexts)
  const health = useQuery({
    queryKey: ['health'],
    queryFn: ({ signal }) => unwrap(muster.GET('/readyz', { signal })),
    refetchInterval: 10_000,
  })
  const version = useQuery({ queryKey: ['version'], queryFn: readVersion, staleTime: Number.POSITIVE_INFINITY })
  const providers = useQuery({
    queryKey: ['providers'],
    queryFn: ({ signal }) => unwrap(muster.GET('/api/v1/providers', { signal })),
    staleTime: Number.POSITIVE_INFINITY,
  })
  return (
    <Answer of={health} refusal={t('refused')}>
      {({ database, issuers = [] }) => (
        <>
          <h2>{t('health')}</h2>
          <FactList
            facts={[
              [
                t('state'),
                health.isError ? <Mark tone="bad">{t('notReady')}</Mark> : <Mark tone="good">{t('accepts')}</Mark>,
              ],
              [
                t('database'),
                database === undefined ? <Mark tone="good">{t('up')}</Mark> : <Mark tone="warning">{t(database)}</Mark>,
              ],
              ...(issuers.length === 0
                ? [
                    [
                      t('issuers'),
                      <Mark key="fresh" tone="good">
                        {t('fresh')}
                      </Mark>,
                    ] as const,
                  ]
                : issuers.map(({ issuer, keys }) => issuerFact(t('issuer', { issuer }), keys, t(keys)))),
              [t('version'), version.data],
              [t('providers'), providers.data?.providers.length],
            ]}
          />
        </>
      )}
    </Answer>
  )
}

function issuerFact(name: string, keys: 'stale' | 'unavailable', text: string) {
  return [
    name,
    <Mark key={name} tone={keys === 'stale' ? 'warning' : 'bad'}>
      {text}
    </Mark>,
  ] as const
}

/** That of the contract, which is that of the service. */
async function readVersion(): Promise<string> {
  const response = await fetch('/openapi.json')
  const { info }: { readonly info: { readonly version: string } } = await response.json()
  return info.version
}
