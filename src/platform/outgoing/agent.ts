import { Agent as HttpAgent } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import { Socket } from 'node:net'
import { type Proxies, proxyFor, type Target } from './proxies.ts'
import { outgoingConnector } from './tunnel.ts'

/** An agent of `node:http` for calls to one target, for libraries that do not use undici. */
export function outgoingAgent(proxies: Proxies, target: Target, timeoutMs: number): HttpAgent {
  const agent = target.protocol === 'https:' ? new HttpsAgent({ keepAlive: true }) : new HttpAgent({ keepAlive: true })
  if (!proxyFor(proxies, target)) return agent
  const connect = outgoingConnector(proxies, { timeoutMs })
  const { protocol, hostname, port } = target
  agent.createConnection = (_options, done) => {
    connect({ protocol, hostname, host: hostname, port }, (...[error, socket]) => {
      // Node reads no socket beside an error, although its type requires one.
      done?.(error, socket ?? new Socket())
    })
    return undefined
  }
  return agent
}
