import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useTexts } from '../texts.ts'
import { Answer } from '../ui/answer.tsx'
import { Button } from '../ui/button.tsx'
import { Moment } from '../ui/facts.tsx'
import { Table } from '../ui/table.tsx'
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
            <Endpoints list={webhooks} />
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
    <Table
      rows={list}
      none={t('none')}
      keyOf={({ id }) => id}
      columns={[
        [
          t('host'),
          ({ id, host, description }) => (
            <>
              <Link to="/webhooks/$webhookId" params={{ webhookId: id }}>
                {host}
              </Link>
              {description !== undefined && <p className="row-note">{description}</p>}
            </>
          ),
          'title',
        ],
        [t('events'), ({ events }) => events.join(', ')],
        [t('status'), (endpoint) => <EndpointStatus endpoint={endpoint} />],
        [t('created'), ({ createdAt }) => <Moment at={createdAt} />],
      ]}
    />
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
