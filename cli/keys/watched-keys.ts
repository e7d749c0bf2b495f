import { readFile } from 'node:fs/promises'
import Type, { type Static } from 'typebox'
import Value from 'typebox/value'
import { depthMax, parseBoundedJson } from '../../src/platform/json-text.ts'
import { Secret } from '../../src/platform/secret.ts'
import { Fault } from '../fault.ts'
import type { KeyRow } from './key-rows.ts'

/** Where a secret is: never the secret itself, so that the file of watched keys holds none. */
const Reference = Type.Union([
  Type.Object({ env: Type.String({ minLength: 1 }) }, { additionalProperties: false }),
  Type.Object({ file: Type.String({ minLength: 1 }) }, { additionalProperties: false }),
])

const WatchedKeys = Type.Object(
  {
    keys: Type.Array(
      Type.Object(
        {
          label: Type.String({ minLength: 1, maxLength: 200 }),
          provider: Type.String({ minLength: 1 }),
          keyType: Type.Union([Type.Literal('api_token'), Type.Literal('api_key')]),
          email: Type.Optional(Type.String()),
          key: Reference,
          parts: Type.Optional(Type.Record(Type.String(), Reference)),
        },
        { additionalProperties: false },
      ),
      { minItems: 1, maxItems: 1_000 },
    ),
  },
  { additionalProperties: false },
)

type Environment = Readonly<Record<string, string | undefined>>

/** The credentials that the file of that path names. Throws a `Fault` that quotes no value of it: a misplaced one may be a key. */
export async function readWatchedKeys(path: string, env: Environment): Promise<KeyRow[]> {
  const text = await readFile(path, 'utf8').catch(() => {
    throw new Fault(`There is no file ${path} that can be read.`)
  })
  const { keys } = parse(text, path)
  if (new Set(keys.map(({ label }) => label)).size < keys.length) throw new Fault('Two keys have the same label.')
  return Promise.all(
    keys.map(async ({ label, provider, keyType, email, key, parts = {} }, index) => {
      const names = Object.keys(parts)
      const secrets = await Promise.all(Object.values(parts).map((part) => secretOf(part, label, env)))
      return {
        line: index + 1,
        label,
        provider,
        keyType,
        email,
        apiKey: await secretOf(key, label, env),
        parts: Object.fromEntries(secrets.map((secret, at) => [names[at] ?? '', secret])),
      }
    }),
  )
}

function parse(text: string, path: string): Static<typeof WatchedKeys> {
  let value: unknown
  try {
    value = parseBoundedJson(text)
  } catch {
    throw new Fault(`${path} is not JSON of at most ${depthMax} levels.`)
  }
  if (Value.Check(WatchedKeys, value)) return value
  const [error] = Value.Errors(WatchedKeys, value)
  // Nothing further down is quoted: a member may have the name of what was pasted there.
  const [place = '/'] = /^\/keys\/\d+/.exec(error?.instancePath ?? '') ?? []
  throw new Fault(`${path} is not as docs/checking-keys.md describes it, at ${place}.`)
}

/** A reference is not quoted: a key may have been pasted in its place. */
async function secretOf(reference: Static<typeof Reference>, label: string, env: Environment): Promise<Secret> {
  const value = 'env' in reference ? env[reference.env] : await readFile(reference.file, 'utf8').catch(() => undefined)
  const text = value?.trim()
  if (!text) throw new Fault(`The key "${label}" has no value: its environment variable or file is missing or empty.`)
  if (text.length > 6 && label.includes(text)) throw new Fault('A label holds its key.')
  return new Secret(text)
}
