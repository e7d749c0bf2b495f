import type { Worker } from 'node:cluster'
import { expect, test } from 'vitest'
import { createBroker } from '../../../src/platform/cluster/broker.ts'
import type { Message, PeerMessage } from '../../../src/platform/cluster/messages.ts'

/** As much of a worker as the broker uses, and what it received. */
function worker(id: number) {
  const received: Message[] = []
  const send = (message: Message) => received.push(message)
  // The broker calls no other member.
  return { received, worker: { id, isConnected: () => true, send } as unknown as Worker }
}

function message(payload: unknown, more: Partial<PeerMessage> = {}): PeerMessage {
  return { muster: 'peer', topic: 'cool-down', payload, ...more }
}

test('a message reaches every worker but its sender, or the one that it names', () => {
  const [one, two, three] = [worker(1), worker(2), worker(3)]
  const broker = createBroker(new Set([one.worker, two.worker, three.worker]))
  broker.forward(one.worker, message('all'))
  broker.forward(one.worker, message('third', { to: 3 }))
  const payloads = ({ received }: typeof one) => received.map((found) => 'payload' in found && found.payload)
  expect([one, two, three].map(payloads)).toEqual([[], ['all'], ['all', 'third']])
})

test('a worker that starts later receives the last retained message of each key that has not expired', () => {
  const [early, late] = [worker(1), worker(2)]
  const broker = createBroker(new Set([early.worker]))
  const untilMs = Date.now() + 60_000
  broker.forward(early.worker, message('old', { retain: { key: 'cloudflare', untilMs } }))
  broker.forward(early.worker, message('new', { retain: { key: 'cloudflare', untilMs } }))
  broker.forward(early.worker, message('expired', { retain: { key: 'fastly', untilMs: Date.now() - 1 } }))
  broker.forward(early.worker, message('not retained'))
  broker.replayTo(late.worker)
  expect(late.received).toEqual([message('new', { retain: { key: 'cloudflare', untilMs } })])
})
