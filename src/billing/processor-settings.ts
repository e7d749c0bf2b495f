import type { Secret } from '../platform/secret.ts'
import type { SettingsReader } from '../platform/settings.ts'

/** A secret of a processor. The processor is enabled if one of its secrets is set. */
export interface SecretSetting {
  readonly kind: 'webhook-secrets' | 'api-key'
  readonly name: string
  readonly isSet: boolean
}

/** Reads the settings of one processor. Each method names the environment variable and its description for the documentation. */
export class ProcessorSettings {
  readonly secrets: SecretSetting[] = []
  readonly #read: SettingsReader

  constructor(read: SettingsReader) {
    this.#read = read
  }

  /** Signing secrets of the webhook: one, or several separated by commas during a replacement. */
  webhookSecrets(name: string, meaning: string): Secret | undefined {
    return this.#secret('webhook-secrets', name, this.#read.secret(name, meaning, secretsFault))
  }

  /** The key of the processor's API. */
  apiKey(name: string, meaning: string): Secret | undefined {
    return this.#secret('api-key', name, this.#read.secret(name, meaning, spaceFault))
  }

  /** Base address of the processor's API, without a path. */
  apiOrigin(name: string, meaning: string, fallback: string): string {
    const url = this.#read.url(name, meaning, fallback)
    if (URL.canParse(url) && new URL(url).pathname !== '/') this.#read.faults.push(`${name} must not have a path.`)
    return url
  }

  text(name: string, meaning: string, fallback: string): string {
    return this.#read.text(name, meaning, fallback)
  }

  #secret(kind: SecretSetting['kind'], name: string, secret: Secret | undefined): Secret | undefined {
    this.secrets.push({ kind, name, isSet: secret !== undefined })
    return secret
  }
}

function secretsFault(value: string): string | undefined {
  return value
    .split(',')
    .map((secret) => spaceFault(secret.trim()))
    .find((fault) => fault !== undefined)
}

function spaceFault(value: string): string | undefined {
  return /^[!-~]+$/.test(value) ? undefined : 'must not be empty or contain spaces.'
}
