import { unwrap } from '@muster/client'
import { useState } from 'react'
import { muster, session } from '../session/muster.ts'
import { withStepUp } from '../step-up/with-step-up.ts'
import { useTexts } from '../texts/texts.ts'
import { Button } from '../ui/button.tsx'
import { Confirm } from '../ui/confirm.tsx'
import { ProblemNote } from '../ui/problem-note.tsx'
import { saveFile } from '../ui/save-file.ts'
import { useAttempt } from '../ui/use-attempt.ts'
import { meTexts } from './texts.ts'

/** A copy of everything, and the end of it. */
export function OwnData({ email }: { readonly email: string | null }) {
  const t = useTexts(meTexts)
  const attempt = useAttempt()
  const [isAsking, setIsAsking] = useState(false)
  const download = async () => {
    const data = await withStepUp(() => unwrap(muster.GET('/auth/account/export')))
    saveFile('my-account.json', new Blob([JSON.stringify(data, null, 2)], { type: 'application/json' }))
  }
  const erase = async () => {
    await withStepUp(() => unwrap(muster.POST('/auth/account/erase')))
    await session.signOut()
  }
  return (
    <>
      <h2>{t('data')}</h2>
      {attempt.error !== undefined && <ProblemNote error={attempt.error} title={t('exportRefused')} />}
      <div className="buttons">
        <Button isBusy={attempt.isBusy} onClick={() => attempt.run(download)}>
          {t('export')}
        </Button>
        <Button look="danger" onClick={() => setIsAsking(true)}>
          {t('erase')}
        </Button>
      </div>
      <Confirm
        isOpen={isAsking}
        question={t('eraseQuestion')}
        action={t('erase')}
        {...(email !== null && { typed: email })}
        refusal={t('eraseRefused')}
        onConfirm={erase}
        onClose={() => setIsAsking(false)}
      >
        {t('eraseWhat')}
      </Confirm>
    </>
  )
}
