import Type from 'typebox'
import { declareProcessor } from '../../processor.ts'
import { exactText, headerOf, parseJson, readPairs, verifyHmac } from '../../signature.ts'

/**
 * Paddle Billing: webhooks only. Source: developer.paddle.com/webhooks, the pages on signature verification and on subscription.* and
 * customer.* events.
 */
export const processor = declareProcessor({
  id: 'paddle',
  title: 'Paddle',
  settings: (read) => ({
    webhookSecrets: read.webhookSecrets(
      'PADDLE_WEBHOOK_SECRET',
      'Secret key of the Paddle notification destination. Separate several with commas during a replacement.',
    ),
  }),
  webhook: {
    proof: 'the header `Paddle-Signature` must be valid for the bytes of the body',
    body: Type.Object({
      event_id: Type.String(),
      event_type: Type.String(),
      occurred_at: Type.String(),
      data: Type.Object({}, { additionalProperties: true }),
    }),
    example: {
      event_id: 'evt_01h8bzakzx3hm2fmen703n5q45',
      event_type: 'subscription.updated',
      occurred_at: '2026-08-21T11:57:47.390028Z',
      data: { id: 'sub_01h7zcgmdc6tmwtjehp3sh7azf', status: 'active' },
    },
  },
  async open({ webhookSecrets }, { now }) {
    const { readEvent } = await import('./events.ts')
    return {
      readEvent(bytes, headers) {
        const text = exactText(bytes)
        const pairs = readPairs(headerOf(headers, 'paddle-signature'), ';')
        const [at = ''] = pairs('ts')
        verifyHmac({ content: `${at}:${text}`, encoding: 'hex', signatures: pairs('h1'), at }, webhookSecrets, now())
        return readEvent(parseJson(text))
      },
    }
  },
})
