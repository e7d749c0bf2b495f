import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useTexts } from '../texts.ts'
import { Answer } from '../ui/answer.tsx'
import { Button } from '../ui/button.tsx'
import { Moment } from '../ui/facts.tsx'
import { say } from '../ui/toast.tsx'
import { createEndpoint, type Endpoint, type EndpointWithSecret, endpoints } from './calls.ts'
import { EndpointForm, EndpointStatus, hostOf, SecretNote } from './endpoint.tsx'
import { webhookTexts } from './texts.ts'
import './webhooks.css'

/** The addresses to which changes are sent. */
export function WebhooksScreen() {
  const t = useTexts(webhookTexts)
  const list = useQuery(endpoints)
  return (
    <>
      <h1>{t('title')}</h1>
      <p>{t('intro')}</p>
      <Answer of={list} refusal={t('refused')}>
        {({ webhooks }) => (
          <>
            {webhooks.length === 0 ? <p className="empty">{t('none')}</p> : <Endpoints list={webhooks} />}
            <Register />
          </>
        )}
      </Answer>
    </>
  )
}

function Endpoints({ list }: { readonly list: readonly Endpoint[] }) {
  const t = useTexts(webhookTexts)
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">{t('host')}</th>
          <th scope="col">{t('events')}</th>
          <th scope="col">{t('status')}</th>
          <th scope="col">{t('created')}</th>
        </tr>
      </thead>
      <tbody>
        {list.map((endpoint) => (
          <tr key={endpoint.id}>
            <td className="wrap">
              <Link to="/webhooks/$webhookId" params={{ webhookId: endpoint.id }}>
                {endpoint.host}
              </Link>
              {endpoint.description !== undefined && <p className="row-note">{endpoint.description}</p>}
            </td>
            <td data-label={t('events')}>{endpoint.events.join(', ')}</td>
            <td data-label={t('status')}>
              <EndpointStatus endpoint={endpoint} />
            </td>
            <td data-label={t('created')}>
              <Moment at={endpoint.createdAt} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Register() {
  const t = useTexts(webhookTexts)
  const [isOpen, setIsOpen] = useState(false)
  const [made, setMade] = useState<EndpointWithSecret>()
  return (
    <>
      {made && <SecretNote made={made} onDone={() => setMade(undefined)} />}
      {isOpen ? (
        <EndpointForm
          action={t('register')}
          refusal={t('registerRefused')}
          onSave={async (endpoint) => {
            setMade(await createEndpoint(endpoint))
            setIsOpen(false)
            say(t('registered', { host: hostOf(endpoint) }))
          }}
          onClose={() => setIsOpen(false)}
        />
      ) : (
        <div className="buttons">
          <Button look="main" onClick={() => setIsOpen(true)}>
            {t('register')}
          </Button>
        </div>
      )}
    </>
  )
}
