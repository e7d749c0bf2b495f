import {
  advices,
  catalogue,
  expiresSoon,
  hints,
  newKeyAdvice,
  notes,
  saferKeyAdvice,
  unusualPartAdvice,
  warnings,
} from '../../key-check/engine/messages.ts'
import type { Caveat, UndeterminedReason } from '../../key-check/engine/provider-facts.ts'
import { purposes } from '../../key-check/engine/purpose.ts'

/** The text of docs/messages.md: every sentence in the catalogue. */
export function messagesPage(): string {
  const titles: readonly [string, (code: string) => boolean][] = [
    ['The credential is valid (`isValid: true`)', (code) => validCodes.includes(code)],
    ['The credential is invalid (`isValid: false`)', (code) => ![...validCodes, ...unknownCodes].includes(code)],
    ['Undetermined (a problem, without `isValid`)', (code) => unknownCodes.includes(code)],
  ]
  return `# Messages of a key check

Generated from \`key-check/engine/messages.ts\` by \`npm run generate\`. A message is one sentence of at most 200 characters: the result; what to
do next. It never contains a part of the credential or of the provider's own text. \`details.code\` is the stable name.
\`{provider}\` and \`{label}\` come from the [provider file](providers.md).

${titles.map(([title, isOfIt]) => `## ${title}\n\n${table(isOfIt)}`).join('\n\n')}

## Hints, which replace the second half

| when | text |
|---|---|
${rows({ ...hints, ...otherHints })}

## Removed before the check, in brackets at the end

| what | text |
|---|---|
${rows(notes)}

## Warnings in \`details.warnings\`

| warning | text |
|---|---|
${rows(warnings)}

## More power than needed, in \`details.advice\`

| reason | text |
|---|---|
${rows(advices)}

## Whether the key fits its purpose, in \`details.purpose\`

| answer | sentence |
|---|---|
${rows(purposes).replaceAll('{of}', ' [for {zone}]')}
`
}

const otherHints = {
  'a part has an unusual form': unusualPartAdvice,
  'it expires soon': expiresSoon,
  'it may be too new': newKeyAdvice,
  'it is more powerful than needed': saferKeyAdvice,
}

/** By the types of the outcomes, so that a new one cannot be forgotten. */
const validCodes: readonly string[] = Object.keys({
  valid: true,
  not_checked: true,
  ability_missing: true,
  limited_permissions: true,
  ip_filtered: true,
  state_not_shown: true,
  account_restricted: true,
  account_not_entitled: true,
  service_not_enabled: true,
  no_zones: true,
  zones_refused: true,
  capabilities_unknown: true,
} satisfies Record<Caveat | 'valid' | 'not_checked' | 'ability_missing', true>)

const unknownCodes: readonly string[] = Object.keys({
  unexpected_answer: true,
  refused: true,
  plan_refused: true,
  address_refused: true,
  clock_refused: true,
  unreachable: true,
  timeout: true,
  rate_limited: true,
  key_rate_limited: true,
  locked_out: true,
  share_used: true,
  network_share_used: true,
  too_many_failures: true,
  overloaded: true,
} satisfies Record<UndeterminedReason, true>)

function table(isOfIt: (code: string) => boolean): string {
  const found = Object.entries(catalogue).filter(([code]) => isOfIt(code))
  return `| code | result | what to do next |\n|---|---|---|\n${found
    .map(([code, { found, next }]) => `| \`${code === 'not_checked' ? 'valid' : code}\` | ${found} | ${next} |`)
    .join('\n')}`
}

function rows(texts: Readonly<Record<string, string>>): string {
  return Object.entries(texts)
    .map(([name, text]) => `| ${/ /.test(name) ? name : `\`${name}\``} | ${text} |`)
    .join('\n')
}
