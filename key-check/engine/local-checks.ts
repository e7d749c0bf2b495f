import type { KeyType } from '../api.ts'
import { type Credential, endedServiceOf, trim } from './credential.ts'
import { type Invalid, invalid, type Provider } from './provider.ts'
import type { KeyTypeFacts, Mistake, PartInfo, PublishedForm } from './provider-facts.ts'

/** One value of the credential. `name` is `apiKey` or the name of a part. */
interface Field extends Pick<PartInfo, 'label' | 'pattern' | 'mustMatch' | 'options' | 'publishedForm' | 'isChosen'> {
  readonly name: string
  readonly isMultiline?: true
}

interface KnownForm extends Field {
  readonly provider: Provider
  readonly keyType: KeyType
  readonly form: RegExp
}

/**
 * Detects a value in the wrong field by its published form: a key of another provider or service, or another part of the credential. Such a
 * value is not sent, because one provider must not see another's secret. Returns nothing if two providers share the form. Also detects what
 * is no credential at all, such as the name of a variable.
 */
export function createMisplacedCheck(providers: Iterable<Provider>): (credential: Credential) => Invalid | undefined {
  const known = [...providers].flatMap(formsOf)
  return (credential) => {
    const { provider, keyType } = credential
    const info = provider.keyTypes[keyType]
    // A self-hosted server may use any value as a key.
    if (!info || provider.isOwnServer) return undefined
    for (const field of fieldsOf(info)) {
      const value = (field.name === 'apiKey' ? credential.apiKey : credential.parts.get(field.name))?.open() ?? ''
      if (isOwn(field, value)) continue
      const found = known.filter(({ form }) => form.test(value))
      const misplaced = explain(found, field, credential) ?? explainService(value) ?? explainMistake(value, field)
      if (misplaced) return misplaced
    }
    return undefined
  }
}

function explain(found: readonly KnownForm[], field: Field, { provider, keyType }: Credential): Invalid | undefined {
  const [one] = found
  if (!one || found.some((other) => other.provider !== one.provider)) return undefined
  if (one.provider !== provider) return invalid('other_provider', { part: one.label, other: one.provider.title })
  // For another key type of the same provider, the provider's answer says more. Values in the right field never get here.
  const other = found.find((form) => form.keyType === keyType)
  return other && invalid('other_part', { part: other.label, other: field.label })
}

function explainService(value: string): Invalid | undefined {
  const service = servicesByForm.find(({ form }) => form.test(value))
  return service && invalid('other_service', { part: service.label, other: service.title })
}

function explainMistake(value: string, field: Field): Invalid | undefined {
  if (field.isChosen) return undefined
  const other = endedServiceOf(value)
  if (other !== undefined) return invalid('ended_service', { other })
  const mistake = mistakeIn(value, field)
  return mistake && invalid(mistake, { part: field.label })
}

function isOwn({ pattern, mustMatch, options, publishedForm }: Field, value: string): boolean {
  const forms = [pattern, mustMatch, publishedForm?.pattern]
  return options?.includes(value) === true || forms.some((form) => form !== undefined && new RegExp(form).test(value))
}

function fieldsOf(info: KeyTypeFacts): readonly Field[] {
  const { label, keyLabel = label, publishedForm, isChosen, isMultiline, parts = {} } = info
  const forms = { ...(publishedForm && { publishedForm }), ...(isChosen && { isChosen }) }
  const key = { name: 'apiKey', label: keyLabel, ...forms, ...(isMultiline && { isMultiline }) }
  return [key, ...Object.entries(parts).map(([name, part]) => ({ name, ...part }))]
}

function formsOf(provider: Provider): readonly KnownForm[] {
  return (['api_token', 'api_key'] as const).flatMap((keyType) => {
    const info = provider.keyTypes[keyType]
    if (!info) return []
    return fieldsOf(info).flatMap((field) =>
      field.publishedForm ? [{ ...field, provider, keyType, form: new RegExp(field.publishedForm.pattern) }] : [],
    )
  })
}

/**
 * Recognizes a value that is no credential of any provider. Each form contains what an issued key does not: words of a template, or
 * characters in an order that a random key has less often than once in a million. Values that users choose are not looked at.
 */
export function mistakeIn(value: string, { isMultiline = false }: { isMultiline?: boolean } = {}): Mistake | undefined {
  // A file of several lines is JSON, YAML or PEM itself.
  return forms.find(({ isFileForm = false, matches }) => !(isMultiline && isFileForm) && matches(value))?.mistake
}

interface Form {
  readonly mistake: Mistake
  readonly matches: (value: string) => boolean
  /** The content of a file may have this form. */
  readonly isFileForm?: true
}

function form(mistake: Mistake, ...patterns: readonly RegExp[]): Form {
  return { mistake, matches: (value) => value.length <= 4_096 && patterns.some((pattern) => pattern.test(value)) }
}

/** The first form that matches decides, so `${YOUR_TOKEN}` is a variable and `YOUR_TOKEN` a placeholder. */
const forms: readonly Form[] = [
  form(
    'secret_reference',
    // 1Password, Google, Vault, Bitwarden, Doppler, Azure Key Vault and others; vals (`ref+`).
    /^(?:op|sm|gsm|gcpsm|awssm|awsps|asm|ssm|vault|bws?|doppler|infisical|secret|keyring|keychain|akv|azurekeyvault):\/\/\S/i,
    /^ref\+[a-z]/i,
    /^vault:\S*\//i,
    /^!vault\b/,
    /^\$ANSIBLE_VAULT;/,
    /^arn:aws[a-z-]*:(?:secretsmanager|ssm|kms):/,
    /^(?:aws|gcp|google|azure)-?(?:secrets?-?manager|parameter-?store|ssm|key-?vault)\b/i,
    /^projects\/[^/\s]+\/secrets\/\S/,
    /^\{\{\s*resolve:/,
    /^@Microsoft\.KeyVault\(/i,
    /^ENC\[[A-Z0-9_]+,/,
    /^\/(?:var\/)?run\/secrets\//,
  ),
  form(
    'variable_name',
    /^\$(?:[A-Z][A-Z0-9_]{0,63}|[A-Za-z_]{1,64})$/,
    /^\$\{[^{}]+\}$/,
    /^\$\([^()]+\)$/,
    /^\$env:\w{1,64}$/i,
    /^%[A-Za-z_]\w{0,63}%$/,
    /^\$?\{\{.*\}\}$/s,
    /^#\{.+\}$/,
    /^(?:process\.env|import\.meta\.env|os\.environ|Deno\.env|ENV|env|secrets|vars?)(?:\.[A-Za-z_]\w{0,63}|\[.+\]|\.get\(.+\))$/,
    /^(?:\w+\.)?(?:getenv|env)\(.+\)$/i,
    // The name alone, such as CF_DNS_API_TOKEN, but not YOUR_API_TOKEN.
    /^(?!(?:YOUR|MY|INSERT|ENTER|REPLACE|CHANGE)_)(?=\S*(?:TOKEN|KEY|SECRET|PASSWORD|PASSWD|PAT|CREDENTIALS?)(?:_|=?$))[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+=?$/,
  ),
  form(
    'no_value',
    /^(?:null|undefined|none|nan|nil|\(null\)|<(?:nil|null|none|no value)>|\[object \w+\]|\(known after apply\))$/i,
  ),
  form(
    'masked',
    /^\*+$/,
    /^[\w.~-]{0,40}\*{4,}[\w.~-]{0,40}$/,
    /[\u00b7\u2022\u2217\u2219\u25cb\u25cf\uff0a]{2}|\u2026/,
    /^[\w-]{0,12}\.{3,}[\w-]{0,12}$/,
    /^[[<(*]{0,3}(?:redacted|hidden|masked|filtered|sensitive(?: value)?)[\])>*]{0,3}$/i,
  ),
  form(
    'placeholder',
    /^<[\w .:/-]{1,60}>$|^\[[\w .-]{1,60}\]$|^\{[\w .-]{1,60}\}$/,
    /^(?:your|my|insert|enter|paste|put|replace|change)[ _-](?:[a-z]+[ _-])*(?:api|token|key|secret|password|me|with|here|this|value)/i,
    /^(?:your|insert|enter|paste|replace|change)[ _-]?(?:api|token|key|secret|password|me)(?:[ _-]?(?:api|token|key|secret|here))*$/i,
    /^(?:placeholder|todo|tbd|fixme)$/i,
    /^(?:[a-z0-9]{1,8}[_-]){0,3}x{4,}(?:-x{2,})*$/i,
  ),
  form('email_address', /^[\w.+-]{1,64}@(?:[a-z0-9-]{1,63}\.)+[a-z]{2,18}$/i),
  form('web_address', /^[a-z][a-z0-9+.-]{1,20}:\/\/\S+$/i),
  { mistake: 'domain_name', matches: isDomain },
  { ...form('pem_block', /-----(?:BEGIN|END) [A-Z0-9 ]+-----/), isFileForm: true },
  form('encoded_text', /^basic\s+\S+$/i),
  { mistake: 'encoded_text', matches: isEncodedText },
  { mistake: 'several_values', matches: hasSeveralValues, isFileForm: true },
]

/** In one case, because tokens with dots (JWT) mix them. */
function isDomain(value: string): boolean {
  const isOneCase = value === value.toLowerCase() || value === value.toUpperCase()
  return isOneCase && value.length <= 80 && /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,18}\.?$/i.test(value)
}

/** A header line or the start of a PEM file, in base64. */
function isEncodedText(value: string): boolean {
  if (!/^[A-Za-z0-9+/_-]{16,}={0,2}$/.test(value)) return false
  const text = Buffer.from(value, 'base64').toString('latin1')
  return /^(?:(?:authorization|x-[a-z-]{2,30}|api-?key)\s*:|bearer\s|basic\s|-----BEGIN )/i.test(text)
}

/** JSON with several members, or lines such as `name: value` and `NAME=value`. */
function hasSeveralValues(value: string): boolean {
  if (/^[[{]/.test(value) && isJson(value)) return true
  const lines = value.split('\n').flatMap((line) => trim(line) || [])
  const settings = lines.filter((line) => !/^(?:[#;]|---$|\[[^\]]*\]$)/.test(line))
  return (
    settings.length > 1 && settings.every((line) => /^(?:- )?["']?[A-Za-z][\w .-]{0,99}["']?\s{0,9}[:=]/.test(line))
  )
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** A credential of a service that Muster does not check, recognized by its published form. */
interface OtherService {
  readonly title: string
  /** The service's name for it, usable inside a sentence. */
  readonly label: string
  readonly form: PublishedForm
}

/** Keys that users often have in the same file or clipboard. Only published forms whose prefix no provider's keys share by chance. */
export const otherServices: readonly OtherService[] = [
  {
    title: 'GitHub',
    label: 'token',
    form: {
      pattern: '^gh[pousr]_[A-Za-z0-9_]{36,251}$',
      source: 'github.blog/changelog/2021-03-31-authentication-token-format-updates-are-generally-available',
    },
  },
  {
    title: 'GitHub',
    label: 'fine-grained personal access token',
    form: {
      pattern: '^github_pat_[A-Za-z0-9_]{36,244}$',
      source:
        'docs.github.com/en/authentication/keeping-your-account-and-data-secure/about-authentication-to-github, 2026-11',
    },
  },
  {
    title: 'GitLab',
    label: 'personal access token',
    form: { pattern: '^glpat-[A-Za-z0-9_.-]{20,}$', source: 'gitlab.com/gitlab-org/gitlab/-/issues/342327, 2021-10' },
  },
  {
    title: 'npm',
    label: 'access token',
    form: {
      pattern: '^npm_[A-Za-z0-9]{36}$',
      source: 'github.blog/security/announcing-npms-new-access-token-format, 2021-09',
    },
  },
  {
    title: 'PyPI',
    label: 'API token',
    form: {
      pattern: '^pypi-AgEIcHlwaS5vcmc[A-Za-z0-9_-]{70,}$',
      source: 'warehouse.pypa.io/development/token-scanning.html, 2026-11',
    },
  },
  {
    title: 'Slack',
    label: 'token',
    form: { pattern: '^(xox[bp]|xapp)-[A-Za-z0-9-]{20,}$', source: 'docs.slack.dev/authentication/tokens, 2026-11' },
  },
  {
    title: 'Stripe',
    label: 'secret key',
    form: {
      pattern: '^(sk|rk)_(live|test)_[A-Za-z0-9]{10,128}$',
      source: 'docs.stripe.com/keys, 2026-11; the length: gitlab.com/gitlab-org/gitlab/-/issues/458019',
    },
  },
  {
    title: 'Muster',
    label: 'service key',
    form: { pattern: '^msk_[0-9A-Za-z]{49}$', source: 'docs/administration.md, 2026-11' },
  },
]

const servicesByForm = otherServices.map((service) => ({ ...service, form: new RegExp(service.form.pattern) }))
