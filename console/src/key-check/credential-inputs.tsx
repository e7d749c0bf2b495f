import { useTexts } from '../texts/texts.ts'
import { Choice, Field } from '../ui/field.tsx'
import { type CredentialField, isRequired, titleOf, type Values } from './credential.ts'
import { SecretField } from './secret-field.tsx'
import { keyCheckTexts } from './texts.ts'

interface CredentialInputsProps {
  readonly fields: readonly CredentialField[]
  readonly values: Values
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
      value={values[field.name] ?? ''}
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
      <Choice {...common} value={value || field.default} onChange={({ target }) => onType(target.value)}>
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
      onChange={({ target }) => onType(target.value)}
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
