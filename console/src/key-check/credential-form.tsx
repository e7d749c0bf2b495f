import { type ClipboardEvent, type FormEvent, useEffect, useRef, useState } from 'react'
import { useTexts } from '../texts/texts.ts'
import { Button } from '../ui/button.tsx'
import {
  bodyOf,
  type KeyPurpose,
  type KeyType,
  missingOf,
  type Provider,
  titleOf,
  unusualOf,
  type Values,
} from './credential.ts'
import { CredentialInputs } from './credential-inputs.tsx'
import { OutcomeNote } from './outcome-note.tsx'
import { readPasted } from './pasted-credential.ts'
import { PurposeInputs } from './purpose-inputs.tsx'
import { keyCheckTexts } from './texts.ts'
import { type Check, useCheck } from './use-check.ts'

interface CredentialFormProps {
  readonly provider: Provider
  readonly keyType: KeyType
}

/** The parts of one credential, and what a check of it found. The values are in this component alone, and gone with it. */
export function CredentialForm({ provider, keyType }: CredentialFormProps) {
  const t = useTexts(keyCheckTexts)
  const form = useRef<HTMLFormElement>(null)
  const check = useCheck()
  const [values, setValues] = useState<Values>({})
  const [purpose, setPurpose] = useState<KeyPurpose>({})
  const [filled, setFilled] = useState('')
  const input = useInputFaults(keyType, values)
  const refused = check.outcome?.kind === 'wrong-input' ? check.outcome.faults : {}
  const faults = { ...input.faults, ...refused }
  useFocusOnFault(form, check, input.tries)

  const change = (next: Values) => {
    check.forget()
    setValues(next)
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (check.isBusy) return
    check.forget()
    if (input.allow()) check.run(bodyOf(provider, keyType, values, purpose))
  }
  const paste = (event: ClipboardEvent) => {
    const pasted = readPasted(event.clipboardData.getData('text'), keyType.fields)
    if (!pasted) return
    event.preventDefault()
    change({ ...values, ...pasted.values })
    const names = keyType.fields.filter(({ name }) => pasted.values[name] !== undefined).map(titleOf)
    setFilled(
      t(pasted.linesLeftOut > 0 ? 'filledSome' : 'filled', { names: names.join(', '), count: pasted.linesLeftOut }),
    )
  }
  const clear = () => {
    change({})
    setFilled('')
    input.forget()
    form.current?.querySelector('input')?.focus()
  }
  return (
    <div className="key-check-columns">
      <form ref={form} noValidate onSubmit={submit} autoComplete="off">
        <div onPaste={paste}>
          <CredentialInputs
            fields={keyType.fields}
            values={values}
            faults={faults}
            onType={(name, value) => change({ ...values, [name]: value })}
          />
        </div>
        {keyType.fields.length > 1 && <p className="field-hint">{t('pasteHint')}</p>}
        <p className="filled" role="status">
          {filled}
        </p>
        <PurposeInputs
          purpose={purpose}
          zoneFault={faults['/for/zone']}
          onChange={(next) => {
            check.forget()
            setPurpose(next)
          }}
        />
        <div className="buttons">
          <Button type="submit" look="main" isBusy={check.isBusy}>
            {t(check.isBusy ? 'checking' : input.isDoubted ? 'checkAnyway' : 'check')}
          </Button>
          <Button onClick={clear}>{t('clear')}</Button>
        </div>
      </form>
      <OutcomeNote
        outcome={check.outcome}
        provider={provider}
        places={keyType.fields.map(({ at }) => at)}
        onRetry={() => check.run(bodyOf(provider, keyType, values, purpose))}
      />
    </div>
  )
}

/**
 * What is missing stops a check. What looks unusual stops it once: the service does not decide by the form of a value, so the same values
 * are sent when they are sent again.
 */
function useInputFaults(keyType: KeyType, values: Values) {
  const t = useTexts(keyCheckTexts)
  const [tries, setTries] = useState(0)
  const [doubted, setDoubted] = useState<Values>()
  const missing = missingOf(keyType.fields, values)
  const unusual = unusualOf(keyType.fields, values)
  const isDoubted = doubted === values && missing.length === 0 && unusual.length > 0
  const nameAt = (at: string) =>
    keyType.fields
      .filter((field) => field.at === at)
      .map(titleOf)
      .join()
  const faults =
    tries === 0
      ? {}
      : Object.fromEntries([
          ...unusual.map((at) => [at, t('unusual', { name: nameAt(at) })] as const),
          ...missing.map((at) => [at, t('missing', { name: nameAt(at) })] as const),
        ])
  const allow = () => {
    const mayGo = missing.length === 0 && (unusual.length === 0 || doubted === values)
    setTries(mayGo ? 0 : tries + 1)
    setDoubted(values)
    return mayGo
  }
  const forget = () => {
    setTries(0)
    setDoubted(undefined)
  }
  return { faults, isDoubted, tries, allow, forget }
}

/** The first field with a fault is where a keyboard goes on. */
function useFocusOnFault(form: { readonly current: HTMLFormElement | null }, { outcome }: Check, tries: number): void {
  useEffect(() => {
    if (tries === 0 && outcome?.kind !== 'wrong-input') return
    form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [form, outcome, tries])
}
