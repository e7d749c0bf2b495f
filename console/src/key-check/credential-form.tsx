import { type ClipboardEvent, type FormEvent, useEffect, useRef, useState } from 'react'
import { useTexts } from '../texts/texts.ts'
import { Button } from '../ui/button.tsx'
import { bodyOf, type KeyPurpose, type KeyType, type Provider, titleOf, type Values } from './credential.ts'
import { CredentialInputs } from './credential-inputs.tsx'
import { OutcomeNote } from './outcome-note.tsx'
import { readPasted } from './pasted-credential.ts'
import { PurposeInputs } from './purpose-inputs.tsx'
import { keyCheckTexts } from './texts.ts'
import { type Check, useCheck } from './use-check.ts'
import { useInputFaults } from './use-input-faults.ts'

interface CredentialFormProps {
  readonly provider: Provider
  readonly keyType: KeyType
}

/** The parts of one credential, and what a check of it found. The values are in this component alone, and gone with it. */
export function CredentialForm({ provider, keyType }: CredentialFormProps) {
  const form = useRef<HTMLFormElement>(null)
  const check = useCheck()
  const [values, setValues] = useState<Values>({})
  const [purpose, setPurpose] = useState<KeyPurpose>({})
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
        onRetry={() => check.run(bodyOf(provider, keyType, values, purpose))}
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
function usePaste({ fields }: KeyType, onFill: (values: Values) => void) {
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
