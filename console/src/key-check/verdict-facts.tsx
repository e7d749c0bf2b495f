import type { Schemas } from '@muster/client'
import type { ReactNode } from 'react'
import { useTexts } from '../texts/texts.ts'
import { FactList } from '../ui/fact-list.tsx'
import { Mark } from '../ui/mark.tsx'
import { Moment } from '../ui/moment.tsx'
import type { Ability } from './credential.ts'
import { abilityTexts, keyCheckTexts } from './texts.ts'

type Details = Schemas['KeyDetails']

/** What the calls of a check have shown. What is not known is left out. */
export function VerdictFacts({ details }: { readonly details: Details }) {
  const t = useTexts(keyCheckTexts)
  const { capabilities = {}, notBefore, expiresOn } = details
  const { scopes, abilities, lacks, limitedByOwner, services, addresses } = capabilities
  return (
    <FactList
      facts={[
        [t('fitsPurpose'), details.fitsPurpose && <Fit details={details} />],
        [t('notBefore'), notBefore && <Moment at={notBefore} />],
        [t('expiresOn'), expiresOn && <Moment at={expiresOn} />],
        [t('may'), abilities && <Abilities of={abilities} />],
        [t('mayNot'), lacks && <Abilities of={lacks} />],
        [t('owner'), limitedByOwner && t('limitedByOwner')],
        [t('scopes'), scopes && <Codes of={scopes} />],
        [t('zones'), zonesOf(capabilities, t)],
        [t('services'), services && <Codes of={services} />],
        [t('addresses'), addresses && <Codes of={addresses} />],
        [t('credential'), <code key="credential">{details.credential}</code>],
        [t('code'), <code key="code">{details.code}</code>],
        [t('checkedAt'), <Freshness key="checkedAt" details={details} />],
      ]}
    />
  )
}

function Fit({ details: { fitsPurpose, purpose } }: { readonly details: Details }) {
  const t = useTexts(keyCheckTexts)
  return (
    <>
      {fitsPurpose === 'yes' && <Mark tone="good">{t('fits')}</Mark>}
      {fitsPurpose === 'no' && <Mark tone="bad">{t('fitsNot')}</Mark>}
      {fitsPurpose === 'unknown' && <Mark tone="unknown">{t('unknown')}</Mark>}
      {purpose !== undefined && <div lang="en">{purpose}</div>}
    </>
  )
}

function Abilities({ of: abilities }: { readonly of: readonly Ability[] }) {
  const t = useTexts(abilityTexts)
  return abilities.length === 0 ? '–' : abilities.map((one) => t(one)).join(', ')
}

function Codes({ of: words }: { readonly of: readonly string[] }) {
  return (
    <ul className="codes">
      {words.map((word) => (
        <li key={word}>
          <code>{word}</code>
        </li>
      ))}
    </ul>
  )
}

const zonesShownMax = 10

/** How many, and the first of their names. */
function zonesOf(
  { zonesVisible, zones = [] }: Schemas['KeyCapabilities'],
  t: (key: 'zonesCount' | 'zonesFirst', values: Readonly<Record<string, number>>) => string,
): ReactNode | undefined {
  if (zonesVisible === undefined && zones.length === 0) return undefined
  const count = zonesVisible ?? zones.length
  const shown = zones.slice(0, zonesShownMax)
  return (
    <>
      {shown.length < count && shown.length > 0
        ? t('zonesFirst', { count, shown: shown.length })
        : t('zonesCount', { count })}
      {shown.length > 0 && <Codes of={shown} />}
    </>
  )
}

function Freshness({ details: { checkedAt, cached } }: { readonly details: Details }) {
  const t = useTexts(keyCheckTexts)
  return (
    <>
      <Moment at={checkedAt} /> · {t(cached ? 'fromCache' : 'fresh')}
    </>
  )
}
