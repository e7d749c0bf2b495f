import { useState } from 'react'
import { useTexts } from '../texts/texts.ts'
import { Choice, Field } from '../ui/field.tsx'
import type { Ability, KeyPurpose } from './credential.ts'
import { abilityTexts, keyCheckTexts } from './texts.ts'

const abilities = [
  'zones:list',
  'dns:read',
  'dns:edit',
  'cdn:read',
  'cdn:edit',
  'cdn:purge',
  'cdn:purge_all',
] as const satisfies readonly Ability[]

interface PurposeInputsProps {
  readonly purpose: KeyPurpose
  readonly zoneFault: string | undefined
  readonly onChange: (purpose: KeyPurpose) => void
}

/** What the key is for. The check then says whether it fits, as far as a read shows that. */
export function PurposeInputs({ purpose, zoneFault, onChange }: PurposeInputsProps) {
  const t = useTexts(keyCheckTexts)
  const ability = useTexts(abilityTexts)
  const [isOpen, setIsOpen] = useState(false)
  const { zone, ability: chosen } = purpose
  const change = (next: { readonly zone: string; readonly ability: Ability | undefined }) =>
    onChange({ ...(next.zone !== '' && { zone: next.zone }), ...(next.ability && { ability: next.ability }) })
  return (
    <details
      className="purpose"
      open={isOpen || zoneFault !== undefined}
      onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}
    >
      <summary>{t('purpose')}</summary>
      <p>{t('purposeWhy')}</p>
      <Field
        label={t('zone')}
        hint={t('zoneHint')}
        value={zone ?? ''}
        error={zoneFault}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        onChange={({ target }) => change({ zone: target.value.trim(), ability: chosen })}
      />
      <Choice
        label={t('ability')}
        value={chosen ?? ''}
        onChange={({ target }) => change({ zone: zone ?? '', ability: abilities.find((one) => one === target.value) })}
      >
        <option value="">{t('anyAbility')}</option>
        {abilities.map((one) => (
          <option key={one} value={one}>
            {ability(one)}
          </option>
        ))}
      </Choice>
    </details>
  )
}
