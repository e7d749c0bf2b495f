import { type ClipboardEvent, type FormEvent, useEffect, useRef, useState } from 'react'
import { useTexts } from '../texts.ts'
import { Button } from '../ui/button.tsx'
import { type Check, useCheck } from './check-key.ts'
import {
  bodyOf,
  type CredentialValues,
  type KeyPurpose,
  type KeyType,
  missingOf,
  type Provider,
  titleOf,
  unusualOf,
} from './credential.ts'
import { CredentialInputs, PurposeInputs } from './credential-inputs.tsx'
import { OutcomeNote } from './outcome-note.tsx'
import { readPasted } from './pasted-credential.ts'
import { keyCheckTexts } from './texts.ts'

interface CredentialFormProps {
  readonly provider: Provider
  readonly keyType: KeyType
}

/** The parts of one credential, and what a check of it found. The values are in this component alone, and gone with it. */
export function CredentialForm({ provider, keyType }: CredentialFormProps) {
  const form = useRef<HTMLFormElement>(null)
  const check = useCheck()
  const [values, setValues] = useState<CredentialValues>({})
  const [purpose, setPurpose] = useState<KeyPurpose>({})
  const input = useInputFaults(keyType, values)
  const refused = check.outcome?.kind === 'wrong-input' ? check.outcome.faults : {}
  const faults = { ...input.faults, ...refused }
  useFocusOnFault(form, check, input.tries)

  const change = (next: CredentialValues) => {
    check.forget()
    setValues(next)
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (check.isBusy) return
    check.forget()
    if (input.allow()) check.run(bodyOf(provider, keyType, values, purpose))
  }
  const paste = usePaste(keyType, (pasted) => change({ ...values, ...pasted }))
  const clear = () => {
    change({})
    paste.forget()
    input.forget()
    form.current?.querySelector<HTMLElement>('input, textarea')?.focus()
  }
  return (
    <div className="key-check-columns">
      <form ref={form} noValidate onSubmit={submit} autoComplete="off">
        <div onPaste={paste.onPaste}>
          <CredentialInputs
            fields={keyType.fields}
            values={values}
            faults={faults}
            onType={(name, value) => change({ ...values, [name]: value })}
          />
        </div>
        <PasteNotes isOffered={keyType.fields.length > 1} filled={paste.filled} />
        <PurposeInputs
          purpose={purpose}
          zoneFault={faults['/for/zone']}
          onChange={(next) => {
            check.forget()
            setPurpose(next)
          }}
        />
        <FormButtons isBusy={check.isBusy} isDoubted={input.isDoubted} onClear={clear} />
      </form>
      <OutcomeNote
        outcome={check.outcome}
        provider={provider}
        places={keyType.fields.map(({ at }) => at)}
        onRetry={() => check.run(bodyOf(provider, keyType, values, purpose), true)}
      />
    </div>
  )
}

function PasteNotes({ isOffered, filled }: { readonly isOffered: boolean; readonly filled: string }) {
  const t = useTexts(keyCheckTexts)
  return (
    <>
      {isOffered && <p className="field-hint">{t('pasteHint')}</p>}
      <p className="filled" role="status">
        {filled}
      </p>
    </>
  )
}

interface FormButtonsProps {
  readonly isBusy: boolean
  /** A value looks unusual, and the reader has seen that. */
  readonly isDoubted: boolean
  readonly onClear: () => void
}

function FormButtons({ isBusy, isDoubted, onClear }: FormButtonsProps) {
  const t = useTexts(keyCheckTexts)
  return (
    <div className="buttons">
      <Button type="submit" look="main" isBusy={isBusy}>
        {t(isBusy ? 'checking' : isDoubted ? 'checkAnyway' : 'check')}
      </Button>
      <Button onClick={onClear}>{t('clear')}</Button>
    </div>
  )
}

/** Lines with names go to the fields of these names; anything else is pasted as it is. Says what was filled in. */
function usePaste({ fields }: KeyType, onFill: (values: CredentialValues) => void) {
  const t = useTexts(keyCheckTexts)
  const [filled, setFilled] = useState('')
  const onPaste = (event: ClipboardEvent) => {
    const pasted = readPasted(event.clipboardData.getData('text'), fields)
    if (!pasted) return
    event.preventDefault()
    onFill(pasted.values)
    const names = fields.filter(({ name }) => pasted.values[name] !== undefined).map(titleOf)
    const count = pasted.linesLeftOut
    setFilled(t(count > 0 ? 'filledSome' : 'filled', { names: names.join(', '), count }))
  }
  return { filled, onPaste, forget: () => setFilled('') }
}

/** The first field with a fault is where a keyboard goes on. */
function useFocusOnFault(form: { readonly current: HTMLFormElement | null }, { outcome }: Check, tries: number): void {
  useEffect(() => {
    if (tries === 0 && outcome?.kind !== 'wrong-input') return
    form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [form, outcome, tries])
}

/**
 * What is missing stops a check. What looks unusual stops it once: the service does not decide by the form of a value, so the same values
 * are sent when they are sent again.
 */
function useInputFaults(keyType: KeyType, values: CredentialValues) {
  const t = useTexts(keyCheckTexts)
  const [tries, setTries] = useState(0)
  const [doubted, setDoubted] = useState<CredentialValues>()
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
