import { readFileSync } from 'node:fs'
import { nearestName } from '../../key-check/nearest-name.ts'
import { depthMax, parseBoundedJson } from './json-text.ts'
import { Secret } from './secret.ts'

export type Environment = Readonly<Record<string, string | undefined>>

/** One setting as documented. */
export interface Setting {
  readonly name: string
  readonly meaning: string
  readonly fallback: string
  readonly isSecret: boolean
}

/** The current value of a setting, for administrators. Of a secret, only whether it is set. */
interface CurrentSetting {
  readonly name: string
  /** False if the fallback applies. */
  readonly isSet: boolean
  readonly isSecret: boolean
  /** The value or the fallback. Missing for a secret. */
  readonly value?: string
}

interface Bounds {
  readonly fallback: number
  readonly min: number
  readonly max: number
}

/** Returns what is wrong with a value, as the end of a sentence, or `undefined` if it is valid. */
type Fault = (value: string) => string | undefined

/** Reports all faults of the configuration together. */
export class ConfigError extends Error {
  readonly faults: readonly string[]

  constructor(faults: readonly string[]) {
    super(faults.join('\n'))
    this.name = 'ConfigError'
    this.faults = faults
  }
}

/**
 * Reads settings by name and type. Records an invalid value in `faults` and uses the fallback, so that one run finds all faults. The
 * caller must call `throwFaults` at the end. An empty value counts as unset.
 */
export class SettingsReader {
  readonly faults: string[] = []
  readonly settings: Setting[] = []
  readonly #env: Environment
  readonly #lookedUp = new Set<string>()
  /** Values of settings whose names match a pattern, for display. */
  readonly #patternValues = new Map<string, string>()

  constructor(env: Environment) {
    this.#env = env
  }

  text(name: string, meaning: string, fallback: string, faultOf: Fault = () => undefined): string {
    this.#record(name, meaning, fallback)
    const raw = this.#raw(name)
    if (raw === undefined) return fallback
    this.#check(name, faultOf(raw))
    return raw
  }

  integer(name: string, meaning: string, { fallback, min, max }: Bounds): number {
    this.#record(name, meaning, String(fallback))
    const raw = this.#raw(name)
    if (raw === undefined) return fallback
    const value = Number(raw)
    if (/^\d{1,15}$/.test(raw) && value >= min && value <= max) return value
    this.faults.push(`${name} must be a whole number from ${min} to ${max}.`)
    return fallback
  }

  boolean(name: string, meaning: string, fallback: boolean): boolean {
    return this.oneOf(name, meaning, ['true', 'false'], fallback ? 'true' : 'false') === 'true'
  }

  oneOf<const Choice extends string>(
    name: string,
    meaning: string,
    choices: readonly Choice[],
    fallback: NoInfer<Choice>,
  ): Choice {
    this.#record(name, `${meaning} One of: ${choices.join(', ')}.`, fallback)
    const raw = this.#raw(name)
    if (raw === undefined) return fallback
    const choice = choices.find((known) => known === raw)
    if (choice === undefined) this.faults.push(`${name} must be one of: ${choices.join(', ')}.`)
    return choice ?? fallback
  }

  list(name: string, meaning: string, faultOf: Fault): readonly string[] {
    this.#record(name, `${meaning} Separated by commas.`, '')
    const items = (this.#raw(name) ?? '').split(',').map((item) => item.trim())
    const values = items.filter((item) => item !== '')
    for (const value of values) this.#check(name, faultOf(value))
    return values
  }

  /** An http or https URL without credentials, query or fragment. Returns it without a trailing slash. */
  url(name: string, meaning: string, fallback: string): string {
    this.#record(name, meaning, fallback)
    const raw = this.#raw(name)
    if (raw === undefined) return fallback
    this.#check(name, urlFault(raw))
    return raw.replace(/\/+$/, '')
  }

  /** Like `url`, for every setting whose name matches `pattern`. Returns the URLs by ID. */
  urls(pattern: RegExp, name: string, meaning: string): ReadonlyMap<string, string> {
    this.#record(name, meaning, '')
    const urls = new Map<string, string>()
    for (const [key, raw] of Object.entries(this.#env)) {
      const id = pattern.exec(key)?.[1]
      if (!id) continue
      this.#lookedUp.add(key)
      if (!raw) continue
      this.#check(key, urlFault(raw))
      urls.set(id.toLowerCase().replaceAll('_', '-'), raw.replace(/\/+$/, ''))
    }
    if (urls.size > 0) this.#patternValues.set(name, [...urls].map(([id, url]) => `${id}: ${url}`).join(', '))
    return urls
  }

  /** The value of `name`, or the trimmed content of the file that `<name>_FILE` names. Undefined if neither is set. */
  secret(name: string, meaning: string, faultOf: Fault): Secret | undefined {
    this.#record(name, meaning, '', true)
    const value = this.#rawOrFile(name)
    if (value === undefined) return undefined
    this.#check(name, faultOf(value))
    return new Secret(value)
  }

  /** A secret: JSON, or the path of a JSON file. Returns the parsed value, or `undefined` if the setting is empty. */
  json(name: string, meaning: string): unknown {
    this.#record(name, meaning, '', true)
    const raw = this.#rawOrFile(name)
    const text = raw === undefined || /^[[{]/.test(raw) ? raw : this.#fileText(name, raw)
    try {
      return text === undefined ? undefined : parseBoundedJson(text)
    } catch {
      // The parser's message quotes the text, which may contain secrets.
      this.faults.push(`${name} must be well-formed JSON of at most ${depthMax} levels, or the path of such a file.`)
      return undefined
    }
  }

  /** An environment variable that another setting refers to. */
  lookup(name: string): string | undefined {
    this.#lookedUp.add(name)
    return this.#raw(name)
  }

  /** Whether the variable is set, but to nothing. */
  isEmpty(name: string): boolean {
    return this.#env[name]?.trim() === ''
  }

  /** Current values of all settings read so far. */
  currentSettings(): readonly CurrentSetting[] {
    return this.settings.map(({ name, fallback, isSecret }) => {
      const value = this.#raw(name) ?? this.#patternValues.get(name)
      if (isSecret) return { name, isSecret, isSet: value !== undefined || this.#raw(`${name}_FILE`) !== undefined }
      return { name, isSecret, isSet: value !== undefined, value: value ?? fallback }
    })
  }

  /**
   * Records a fault for each variable that begins with `prefix` and was not read: a misspelled setting would have no effect. `removed`
   * says, for each setting of an earlier release, what to do instead.
   */
  refuseUnknown(prefix: string, others: readonly string[], removed: Readonly<Record<string, string>>): void {
    const names = this.settings.flatMap(({ name, isSecret }) => (isSecret ? [name, `${name}_FILE`] : [name]))
    const known = new Set([...names, ...others, ...this.#lookedUp])
    for (const name of Object.keys(this.#env)) {
      if (!name.startsWith(prefix) || known.has(name)) continue
      const advice = removed[name.replace(/_FILE$/, '')]
      if (advice !== undefined) {
        this.faults.push(`${name} was removed: ${advice}`)
        continue
      }
      const suggestion = nearestName(name, names)
      this.faults.push(
        suggestion === undefined ? `${name} is not a setting.` : `${name} is not a setting; ${suggestion} is.`,
      )
    }
  }

  throwFaults(): void {
    if (this.faults.length > 0) throw new ConfigError(this.faults)
  }

  /** The value, or the trimmed content of the file that `<name>_FILE` names. */
  #rawOrFile(name: string): string | undefined {
    const raw = this.#raw(name)
    const path = this.#raw(`${name}_FILE`)
    if (path === undefined) return raw
    if (raw !== undefined) this.faults.push(`${name} and ${name}_FILE are both set; keep one.`)
    return this.#fileText(`${name}_FILE`, path)
  }

  #raw(name: string): string | undefined {
    const value = this.#env[name]?.trim()
    return value === '' ? undefined : value
  }

  #fileText(name: string, path: string): string | undefined {
    try {
      const text = readFileSync(path, 'utf8').trim()
      // A fault rather than unset: the secret may not be mounted yet.
      if (text !== '') return text
      this.faults.push(`${name} points to a file that is empty: ${path}`)
    } catch {
      this.faults.push(`${name} points to a file that cannot be read: ${path}`)
    }
    return undefined
  }

  #check(name: string, fault: string | undefined): void {
    if (fault !== undefined) this.faults.push(`${name} ${fault}`)
  }

  #record(name: string, meaning: string, fallback: string, isSecret = false): void {
    this.settings.push({ name, meaning, fallback, isSecret })
  }
}

function urlFault(value: string): string | undefined {
  if (!URL.canParse(value)) return 'must be an address such as https://muster.example.com.'
  const url = new URL(value)
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'must begin with https:// or http://.'
  if (url.username || url.password) return 'must not contain a user name or a password.'
  if (url.search || url.hash) return 'must not have a query or a fragment.'
  return undefined
}
