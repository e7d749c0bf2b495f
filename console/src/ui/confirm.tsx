import { AlertDialog } from '@base-ui/react/alert-dialog'
import { type ReactNode, useState } from 'react'
import { useTexts, words } from '../texts.ts'
import { AttemptNote, useAttempt } from './attempt.tsx'
import { Button, type ButtonProps } from './button.tsx'
import { Field } from './field.tsx'

interface Question {
  /** Names the object: “Erase ada@example.com?” */
  readonly question: string
  /** What will happen, and whether it can be undone. */
  readonly children?: ReactNode
  /** A verb and its object, for the button. */
  readonly action: string
  /** Has to be typed, where the action cannot be undone. */
  readonly typed?: string | undefined
  /** What was not done, where it was refused. */
  readonly refusal: string
  readonly onConfirm: () => Promise<unknown>
}

interface ConfirmProps extends Question {
  readonly isOpen: boolean
  readonly onClose: () => void
}

/** Asks before an action, runs it, and shows a refusal where it was asked. */
function Confirm({ isOpen, question, children, onClose, ...form }: ConfirmProps) {
  return (
    <AlertDialog.Root open={isOpen} onOpenChange={(open) => !open && onClose()}>
      <AlertDialog.Portal>
        <AlertDialog.Backdrop className="backdrop" />
        <AlertDialog.Popup className="dialog">
          <AlertDialog.Title>{question}</AlertDialog.Title>
          <AlertDialog.Description render={<div />}>{children}</AlertDialog.Description>
          <ConfirmForm {...form} onClose={onClose} />
        </AlertDialog.Popup>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  )
}

/** It is there while the dialog is open: what was typed and refused is gone with it. */
function ConfirmForm({ action, typed, refusal, onConfirm, onClose }: Omit<ConfirmProps, 'isOpen' | 'question'>) {
  const t = useTexts(words)
  const attempt = useAttempt()
  const [text, setText] = useState('')
  const isConfirmed = typed === undefined || text === typed
  const confirm = async () => {
    if (!isConfirmed) return
    await onConfirm()
    onClose()
  }
  return (
    <form onSubmit={attempt.submit(confirm)}>
      {typed !== undefined && (
        <Field label={t('typeToConfirm', { text: typed })} value={text} autoComplete="off" onType={setText} />
      )}
      <AttemptNote error={attempt.error} title={refusal} />
      <div className="buttons">
        <Button onClick={onClose}>{t('cancel')}</Button>
        <Button type="submit" look="danger" isBusy={attempt.isBusy} disabled={!isConfirmed}>
          {action}
        </Button>
      </div>
    </form>
  )
}

interface ConfirmButtonProps extends Question, Pick<ButtonProps, 'look' | 'aria-label'> {
  /** Of the button that asks, where it is not the action. */
  readonly label?: string
}

/** A button that asks first. */
export function ConfirmButton({ label, look = 'plain', 'aria-label': name, ...question }: ConfirmButtonProps) {
  const [isAsking, setIsAsking] = useState(false)
  return (
    <>
      <Button look={look} aria-label={name} onClick={() => setIsAsking(true)}>
        {label ?? question.action}
      </Button>
      <Confirm {...question} isOpen={isAsking} onClose={() => setIsAsking(false)} />
    </>
  )
}
