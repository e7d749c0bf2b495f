import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { useTexts } from '../texts/texts.ts'
import { Answer } from '../ui/answer.tsx'
import { CopyId } from '../ui/copy-button.tsx'
import { FactList } from '../ui/fact-list.tsx'
import { Moment } from '../ui/moment.tsx'
import { type Endpoint, endpoints } from './calls.ts'
import { Deliveries } from './deliveries.tsx'
import { EndpointActions } from './endpoint-actions.tsx'
import { EndpointStatus } from './endpoint-status.tsx'
import { webhookTexts } from './texts.ts'
import './webhooks.css'

/** One endpoint: what it gets, what can be done with it, and what was sent to it. */
export function EndpointScreen() {
  const t = useTexts(webhookTexts)
  const { webhookId } = useParams({ from: '/webhooks/$webhookId' })
  const list = useQuery(endpoints)
  const endpoint = list.data?.webhooks.find(({ id }) => id === webhookId)
  return (
    <>
      <p>
        <Link to="/webhooks">{t('back')}</Link>
      </p>
      <h1>{endpoint ? endpoint.host : t('title')}</h1>
      <Answer of={list} refusal={t('refused')}>
        {() =>
          endpoint ? (
            <>
              <Facts endpoint={endpoint} />
              <EndpointActions key={webhookId} endpoint={endpoint} />
              <Deliveries endpoint={endpoint} />
            </>
          ) : (
            <p className="note">{t('unknown')}</p>
          )
        }
      </Answer>
    </>
  )
}

function Facts({ endpoint }: { readonly endpoint: Endpoint }) {
  const t = useTexts(webhookTexts)
  return (
    <FactList
      facts={[
        [t('host'), <code key="host">{endpoint.host}</code>],
        ['Id', <CopyId key="id" id={endpoint.id} name="Id" />],
        [t('description'), endpoint.description],
        [t('status'), <EndpointStatus key="status" endpoint={endpoint} />],
        [t('events'), endpoint.events.join(', ')],
        [t('created'), <Moment key="created" at={endpoint.createdAt} />],
        [t('oldSecret'), endpoint.previousSecretUntil && <Moment at={endpoint.previousSecretUntil} />],
      ]}
    />
  )
}
