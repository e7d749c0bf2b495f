import { Toast } from '@base-ui/react/toast'
import { useTexts, words } from '../texts.ts'

const manager = Toast.createToastManager()

/** Says what was done, and offers to undo it where the service can. Announced to screen readers. */
export function say(title: string, undo?: { readonly label: string; readonly run: () => void }): void {
  manager.add({
    title,
    timeout: undo ? 10_000 : 5_000,
    ...(undo && { actionProps: { children: undo.label, onClick: undo.run } }),
  })
}

export function Toasts() {
  return (
    <Toast.Provider toastManager={manager}>
      <Toast.Portal>
        <Toast.Viewport className="toasts">
          <List />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  )
}

function List() {
  const t = useTexts(words)
  const { toasts } = Toast.useToastManager()
  return toasts.map((toast) => (
    <Toast.Root key={toast.id} toast={toast} className="toast">
      <Toast.Title />
      {toast.actionProps && <Toast.Action className="button button-text" />}
      <Toast.Close className="button button-text" aria-label={t('close')}>
        ✕
      </Toast.Close>
    </Toast.Root>
  ))
}
