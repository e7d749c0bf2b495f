import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { listSettings } from '../../src/config.ts'

const pathOf = (name: string) => fileURLToPath(new URL(`../../deploy/ha/${name}`, import.meta.url))
const textOf = (name: string) => readFileSync(pathOf(name), 'utf8')

test('Patroni loses no acknowledged write, survives a loss of etcd, and its file contains no working password', () => {
  const { bootstrap, postgresql, watchdog } = parse(textOf('patroni.yml'))
  const { ttl, loop_wait, retry_timeout, synchronous_mode, failsafe_mode } = bootstrap.dcs
  expect({ synchronous_mode, failsafe_mode }).toEqual({ synchronous_mode: true, failsafe_mode: true })
  // Patroni's own rule. Below it, a slow response of etcd costs the primary its leadership.
  expect(loop_wait + 2 * retry_timeout).toBeLessThanOrEqual(ttl)
  expect(bootstrap.dcs.postgresql.parameters.hot_standby_feedback).toBe('on')
  expect(watchdog.mode).toBe('automatic')
  for (const { password } of Object.values<{ password: string }>(postgresql.authentication))
    expect(password).toBe('CHANGE-ME')
})

test('every setting of Muster in the files exists', () => {
  const known = listSettings().flatMap(({ name, isSecret }) => (isSecret ? [name, `${name}_FILE`] : [name]))
  const used = [...textOf('muster.settings').matchAll(/\b(MUSTER_[A-Z_]+)=/g)]
  expect(used.length).toBe(3)
  for (const [, name] of used) expect(known).toContain(name)
})

test('HAProxy takes a node out before its port closes, and never keeps a connection to a server that is not the primary', () => {
  const text = textOf('haproxy.cfg')
  const [, inter, fall] = /backend muster[\s\S]*?check inter (\d+)s fall (\d+)/.exec(text) ?? []
  const lameDuck = listSettings().find(({ name }) => name === 'MUSTER_LAME_DUCK_SECONDS')?.fallback
  expect(Number(inter) * Number(fall)).toBeLessThan(Number(lameDuck))
  expect(text.match(/on-marked-down shutdown-sessions/g)).toHaveLength(2)
})

test.runIf(spawnSync('haproxy', ['-v']).status === 0)('HAProxy takes its file', () => {
  const { status, stderr } = spawnSync('haproxy', ['-c', '-f', pathOf('haproxy.cfg')], { encoding: 'utf8' })
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
})
