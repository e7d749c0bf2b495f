import { type ReactNode, useState } from 'react'
import { useTexts } from '../texts.ts'
import { Choice, Field, Labelled } from '../ui/field.tsx'
import {
  type Ability,
  type CredentialField,
  type CredentialValues,
  isRequired,
  type KeyPurpose,
  titleOf,
} from './credential.ts'
import { abilityTexts, keyCheckTexts } from './texts.ts'

interface CredentialInputsProps {
  readonly fields: readonly CredentialField[]
  readonly values: CredentialValues
  /** By the places of the fields in the body. */
  readonly faults: Readonly<Record<string, string>>
  readonly onType: (name: string, value: string) => void
}

/** Exactly what a credential consists of. */
export function CredentialInputs({ fields, values, faults, onType }: CredentialInputsProps) {
  return fields.map((field) => (
    <CredentialInput
      key={field.name}
      field={field}
      value={values[field.name] ?? field.default ?? ''}
      isRequired={isRequired(field, values)}
      error={faults[field.at]}
      onType={(value) => onType(field.name, value)}
    />
  ))
}

interface CredentialInputProps {
  readonly field: CredentialField
  readonly value: string
  readonly isRequired: boolean
  readonly error: string | undefined
  readonly onType: (value: string) => void
}

function CredentialInput({ field, value, isRequired: isNeeded, error, onType }: CredentialInputProps) {
  const hint = useHint(field, isNeeded)
  const label = titleOf(field)
  const common = { label, error, ...(hint !== undefined && { hint }) }
  if (field.options)
    return (
      <Choice {...common} value={value || field.default} onType={onType}>
        {field.options.map((option) => (
          <option key={option}>{option}</option>
        ))}
      </Choice>
    )
  if (field.secret || field.multiline)
    return <SecretField {...common} value={value} isMultiline={field.multiline} isRequired={isNeeded} onType={onType} />
  return (
    <Field
      {...common}
      value={value}
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
      inputMode={field.at === '/email' ? 'email' : 'text'}
      aria-required={isNeeded}
      onType={onType}
    />
  )
}

function useHint(
  { example, multiline, options, requiredWhen }: CredentialField,
  isNeeded: boolean,
): string | undefined {
  const t = useTexts(keyCheckTexts)
  if (options) return undefined
  const parts = [
    !isNeeded && t(requiredWhen ? 'sometimes' : 'optional'),
    multiline && t('wholeFile'),
    example !== undefined && t('example', { example }),
  ].filter((part) => part !== false)
  return parts.length > 0 ? parts.join(' ') : undefined
}

interface SecretFieldProps {
  readonly label: string
  readonly value: string
  /** A file of several lines. */
  readonly isMultiline: boolean
  readonly isRequired: boolean
  readonly hint?: ReactNode
  readonly error?: string | undefined
  readonly onType: (value: string) => void
}

/** A value that is hidden until it is shown on request. No browser completes, corrects or keeps it. */
function SecretField({ value, isMultiline, isRequired: isNeeded, onType, ...around }: SecretFieldProps) {
  const t = useTexts(keyCheckTexts)
  const [isShown, setIsShown] = useState(false)
  const common = {
    value,
    autoComplete: 'off',
    autoCapitalize: 'none',
    autoCorrect: 'off',
    spellCheck: false,
    'aria-required': isNeeded,
    onChange: ({ target }: { readonly target: { readonly value: string } }) => onType(target.value),
  } as const
  return (
    <Labelled {...around}>
      {(connected) => (
        <div className="secret">
          {isMultiline ? (
            <textarea
              {...connected}
              {...common}
              rows={6}
              className={isShown ? 'secret-text' : 'secret-text secret-masked'}
            />
          ) : (
            <input {...connected} {...common} type={isShown ? 'text' : 'password'} className="secret-text" />
          )}
          <button
            type="button"
            className="button"
            aria-label={t(isShown ? 'hideValue' : 'showValue', { name: around.label })}
            onClick={() => setIsShown(!isShown)}
          >
            {t(isShown ? 'hide' : 'show')}
          </button>
        </div>
      )}
    </Labelled>
  )
}

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
        onType={(value) => change({ zone: value.trim(), ability: chosen })}
      />
      <Choice
        label={t('ability')}
        value={chosen ?? ''}
        onType={(value) => change({ zone: zone ?? '', ability: abilities.find((one) => one === value) })}
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
