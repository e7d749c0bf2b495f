import { createHmac, randomBytes } from 'node:crypto'
import type { Sealing } from '../platform/mail/outbox.ts'
import { Secret } from '../platform/secret.ts'

const prefix = 'whsec_'
/** Standard Webhooks requires 24 to 64. */
const secretBytes = 32

/** A new signing secret, in the form that the receiver gets. */
export function newSigningSecret(): Secret {
  return new Secret(`${prefix}${randomBytes(secretBytes).toString('base64')}`)
}

export function sealSecret(sealing: Pick<Sealing, 'encrypt'>, endpointId: string, secret: Secret): Buffer {
  return sealing.encrypt(Buffer.from(secret.open()), secretContext(endpointId))
}

/** Throws if the secret was encrypted with a key that is not configured. */
export function unsealSecret(sealing: Pick<Sealing, 'decrypt'>, endpointId: string, sealed: Buffer): Secret {
  return new Secret(sealing.decrypt(sealed, secretContext(endpointId)).toString())
}

/** The context of an encrypted secret. */
function secretContext(endpointId: string): string {
  return `webhook ${endpointId}`
}

interface SignedMessage {
  readonly id: string
  readonly timestampSeconds: number
  readonly body: string
}

/**
 * The headers of Standard Webhooks 1.0: one signature per secret, so that a receiver can verify with the old or the new secret during a
 * rotation.
 */
export function signedHeaders({ id, timestampSeconds, body }: SignedMessage, secrets: readonly Secret[]) {
  const content = `${id}.${timestampSeconds}.${body}`
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestampSeconds),
    'webhook-signature': secrets.map((secret) => `v1,${signatureOf(content, secret)}`).join(' '),
  }
}

function signatureOf(content: string, secret: Secret): string {
  const key = Buffer.from(secret.open().slice(prefix.length), 'base64')
  return createHmac('sha256', key).update(content).digest('base64')
}

const columnOf = (column: 'secret' | 'previous_secret') => ({
  contextOf: secretContext,
  find: {
    name: `re_encrypt_webhooks_${column}`,
    text: `
select id, ${column} as encrypted from webhook_endpoint
where substring(${column} for 4) <> $1 order by id limit $2 for update`,
  },
  replace: { name: `re_encrypt_webhook_${column}`, text: `update webhook_endpoint set ${column} = $2 where id = $1` },
})

/** Re-encrypts secrets with the current key, for `muster keys re-encrypt`. */
export const webhookSecretColumns = [columnOf('secret'), columnOf('previous_secret')]
