import type { Mistake } from './key-type.ts'
import { trim } from './pasted.ts'

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
