import { readFileSync } from 'node:fs'
import { Secret } from './secret.ts'

export type Environment = Readonly<Record<string, string | undefined>>

/** One setting, as the documentation tells of it. */
export interface Setting {
  readonly name: string
  readonly meaning: string
  readonly fallback: string
  readonly isSecret: boolean
}

interface Bounds {
  readonly fallback: number
  readonly min: number
  readonly max: number
}

/** Answers what is wrong with a value, or nothing. */
type Fault = (value: string) => string | undefined

/**
 * Reads settings by name and type. A wrong value is noted in `faults` and its fallback used, so that all faults come to light
 * in one run; whoever reads must throw when there are any. An empty value counts as unset.
 */
export class SettingsReader {
  readonly faults: string[] = []
  readonly settings: Setting[] = []
  readonly #env: Environment

  constructor(env: Environment) {
    this.#env = env
  }

  text(name: string, meaning: string, fallback: string): string {
    this.#note(name, meaning, fallback)
    return this.#raw(name) ?? fallback
  }

  integer(name: string, meaning: string, { fallback, min, max }: Bounds): number {
    this.#note(name, meaning, String(fallback))
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
    this.#note(name, `${meaning} One of: ${choices.join(', ')}.`, fallback)
    const raw = this.#raw(name)
    if (raw === undefined) return fallback
    const choice = choices.find((known) => known === raw)
    if (choice === undefined) this.faults.push(`${name} must be one of: ${choices.join(', ')}.`)
    return choice ?? fallback
  }

  list(name: string, meaning: string, faultOf: Fault): readonly string[] {
    this.#note(name, `${meaning} Separated by commas.`, '')
    const items = (this.#raw(name) ?? '').split(',').map((item) => item.trim())
    const kept = items.filter((item) => item !== '')
    for (const item of kept) this.#judge(name, faultOf(item))
    return kept
  }

  /** An http or https address without credentials, query or fragment; answered without a slash at its end. */
  url(name: string, meaning: string, fallback: string): string {
    this.#note(name, meaning, fallback)
    const raw = this.#raw(name)
    if (raw === undefined) return fallback
    this.#judge(name, webAddressFault(raw))
    return raw.replace(/\/+$/, '')
  }

  /** Like `url`, for every setting whose name fits; answers name → address. */
  urls(pattern: RegExp, name: string, meaning: string): ReadonlyMap<string, string> {
    this.#note(name, meaning, '')
    const found = new Map<string, string>()
    for (const [key, raw] of Object.entries(this.#env)) {
      const id = pattern.exec(key)?.[1]
      if (!id || !raw) continue
      this.#judge(key, webAddressFault(raw))
      found.set(id.toLowerCase().replaceAll('_', '-'), raw.replace(/\/+$/, ''))
    }
    return found
  }

  /** The value of `name`, or what the file that `<name>_FILE` points to holds, without white space at its ends. */
  secret(name: string, meaning: string, faultOf: Fault): Secret | undefined {
    this.#note(name, meaning, '', true)
    const path = this.#raw(`${name}_FILE`)
    if (path !== undefined && this.#raw(name) !== undefined)
      this.faults.push(`${name} and ${name}_FILE are both set; keep one.`)
    const value = path === undefined ? this.#raw(name) : this.#fileText(`${name}_FILE`, path)
    if (value === undefined || value === '') return undefined
    this.#judge(name, faultOf(value))
    return new Secret(value)
  }

  /** JSON, or the path of a file that holds it; the parsed value, or nothing where the setting is empty. May hold secrets. */
  json(name: string, meaning: string): unknown {
    this.#note(name, meaning, '', true)
    const raw = this.#raw(name)
    const text = raw === undefined || /^[[{]/.test(raw) ? raw : this.#fileText(name, raw)
    try {
      return text === undefined ? undefined : JSON.parse(text)
    } catch {
      // The parser's own words quote the text, in which secrets may stand.
      this.faults.push(`${name} is not well-formed JSON, nor the path of a file that holds it.`)
      return undefined
    }
  }

  /** A variable of the environment that another setting refers to. */
  lookup(name: string): string | undefined {
    return this.#raw(name)
  }

  #raw(name: string): string | undefined {
    const value = this.#env[name]?.trim()
    return value === '' ? undefined : value
  }

  #fileText(name: string, path: string): string | undefined {
    try {
      return readFileSync(path, 'utf8').trim()
    } catch {
      this.faults.push(`${name} points to a file that cannot be read: ${path}`)
      return undefined
    }
  }

  #judge(name: string, fault: string | undefined): void {
    if (fault !== undefined) this.faults.push(`${name} ${fault}`)
  }

  #note(name: string, meaning: string, fallback: string, isSecret = false): void {
    this.settings.push({ name, meaning, fallback, isSecret })
  }
}

function webAddressFault(value: string): string | undefined {
  if (!URL.canParse(value)) return 'must be an address such as https://muster.example.com.'
  const url = new URL(value)
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'must begin with https:// or http://.'
  if (url.username || url.password) return 'must not hold a user name or a password.'
  if (url.search || url.hash) return 'must end with its path.'
  return undefined
}
