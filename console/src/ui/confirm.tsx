import { AlertDialog } from '@base-ui/react/alert-dialog'
import { type FormEvent, type ReactNode, useState } from 'react'
import { uiTexts, useTexts } from '../texts.ts'
import { Button } from './button.tsx'
import { Field } from './field.tsx'
import { ProblemNote } from './problem-note.tsx'

interface ConfirmProps {
  readonly isOpen: boolean
  /** Names the object: “Erase ada@example.com?” */
  readonly question: string
  /** What will happen, and whether it can be undone. */
  readonly children: ReactNode
  /** A verb and its object, for the button. */
  readonly action: string
  /** Has to be typed, where the action cannot be undone. */
  readonly typed?: string
  /** What was not done, where it was refused. */
  readonly refusal: string
  readonly onConfirm: () => Promise<unknown>
  readonly onClose: () => void
}

/** Asks before an action, runs it, and shows a refusal where it was asked. */
export function Confirm({ isOpen, question, children, action, typed, refusal, onConfirm, onClose }: ConfirmProps) {
  const t = useTexts(uiTexts)
  const [text, setText] = useState('')
  const [isBusy, setIsBusy] = useState(false)
  const [error, setError] = useState<unknown>()
  const isConfirmed = typed === undefined || text === typed

  const close = () => {
    setText('')
    setError(undefined)
    onClose()
  }
  const run = async (event: FormEvent) => {
    event.preventDefault()
    if (!isConfirmed || isBusy) return
    setIsBusy(true)
    setError(undefined)
    try {
      await onConfirm()
      close()
    } catch (thrown) {
      setError(thrown)
    } finally {
      setIsBusy(false)
    }
  }
  return (
    <AlertDialog.Root open={isOpen} onOpenChange={(open) => !open && close()}>
      <AlertDialog.Portal>
        <AlertDialog.Backdrop className="backdrop" />
        <AlertDialog.Popup className="dialog">
          <AlertDialog.Title>{question}</AlertDialog.Title>
          <AlertDialog.Description render={<div />}>{children}</AlertDialog.Description>
          <form onSubmit={(event) => void run(event)}>
            {typed !== undefined && (
              <Field
                label={t('typeToConfirm', { text: typed })}
                value={text}
                autoComplete="off"
                onChange={({ target }) => setText(target.value)}
              />
            )}
            {error !== undefined && <ProblemNote error={error} title={refusal} />}
            <div className="buttons">
              <Button onClick={close}>{t('cancel')}</Button>
              <Button type="submit" look="danger" isBusy={isBusy} disabled={!isConfirmed}>
                {action}
              </Button>
            </div>
          </form>
        </AlertDialog.Popup>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  )
}
