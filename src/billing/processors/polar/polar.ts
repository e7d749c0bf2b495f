import Type from 'typebox'
import { declareProcessor } from '../../processor.ts'
import { exactText, headerOf, parseJson, verifyHmac } from '../../signature.ts'

/**
 * Polar: webhooks only. Source: standardwebhooks.com for the signature, with the secret's bytes as the key; polar.sh/docs for the events.
 */
export const processor = declareProcessor({
  id: 'polar',
  title: 'Polar',
  settings: (read) => ({
    webhookSecrets: read.webhookSecrets(
      'POLAR_WEBHOOK_SECRET',
      'Secret of the Polar webhook. Separate several with commas during a replacement.',
    ),
  }),
  webhook: {
    proof:
      'the headers `webhook-id`, `webhook-timestamp` and `webhook-signature` must be valid for the bytes of the body (Standard Webhooks)',
    body: Type.Object({
      type: Type.String(),
      timestamp: Type.String(),
      data: Type.Object({}, { additionalProperties: true }),
    }),
    example: {
      type: 'subscription.updated',
      timestamp: '2026-08-21T11:57:47.390028Z',
      data: { id: 'e5149aae-e521-42b9-b24c-abb3d71eea2e', status: 'active' },
    },
  },
  async open({ webhookSecrets }, { now }) {
    const { readEvent } = await import('./events.ts')
    return {
      readEvent(bytes, headers) {
        const text = exactText(bytes)
        const [id, at] = [headerOf(headers, 'webhook-id'), headerOf(headers, 'webhook-timestamp')]
        const signatures = headerOf(headers, 'webhook-signature')
          .split(' ')
          .flatMap((part) => (part.startsWith('v1,') ? [part.slice(3)] : []))
        verifyHmac({ content: `${id}.${at}.${text}`, encoding: 'base64', signatures, at }, webhookSecrets, now())
        return readEvent(id, parseJson(text))
      },
    }
  },
})
