import { RequirePermission } from '@muster/react'
import { useQuery } from '@tanstack/react-query'
import { muster } from '../session/muster.ts'
import { providerList } from '../session/own.ts'
import { reading } from '../session/reading.ts'
import { useTexts } from '../texts.ts'
import { Answer } from '../ui/answer.tsx'
import { type Fact, FactList, Mark } from '../ui/facts.tsx'
import { useMay } from '../ui/permitted.tsx'
import { ServiceKeys } from './service-keys.tsx'
import { SystemStatus } from './system-status.tsx'
import { systemTexts } from './texts.ts'
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
  const t = useTexts(systemTexts)
  const isAllowed = useMay()('system', 'read')
  const status = useQuery({
    ...reading(['system'], (signal) => muster.GET('/api/v1/admin/system', { signal })),
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
    ...reading(['health'], (signal) => muster.GET('/readyz', { signal })),
    refetchInterval: 10_000,
  })
  const version = useQuery({ queryKey: ['version'], queryFn: readVersion, staleTime: Number.POSITIVE_INFINITY })
  const providers = useQuery(providerList)
  return (
    <Answer of={health} refusal={t('healthRefused')}>
      {({ database, issuers = [] }) => (
        <>
          <h2>{t('health')}</h2>
          <FactList
            facts={[
              [
                t('node'),
                <Mark tone={health.isError ? 'bad' : 'good'}>{t(health.isError ? 'notReady' : 'accepts')}</Mark>,
              ],
              [t('database'), <Mark tone={database === undefined ? 'good' : 'warning'}>{t(database ?? 'up')}</Mark>],
              [t('issuerKeys'), issuers.length === 0 ? <Mark tone="good">{t('allFresh')}</Mark> : undefined],
              ...issuers.map(({ issuer, keys }): Fact => {
                const isStale = keys === 'stale'
                return [
                  t('issuer', { issuer }),
                  <Mark tone={isStale ? 'warning' : 'bad'}>{t(isStale ? 'issuerStale' : keys)}</Mark>,
                ]
              }),
              [t('version'), version.data],
              [t('providers'), providers.data?.providers.length],
            ]}
          />
        </>
      )}
    </Answer>
  )
}

/** That of the contract, which is that of the service. */
async function readVersion(): Promise<string> {
  const response = await fetch('/openapi.json')
  const { info }: { readonly info: { readonly version: string } } = await response.json()
  return info.version
}
