import { firstCall, infoOf } from '../../key-check/engine/catalogue.ts'
import type { Provider } from '../../key-check/engine/provider.ts'
import { unsupportedProviders } from '../../key-check/engine/provider-names.ts'
import type { KeyType } from '../../key-check/index.ts'
import type { RecordedAnswer, Recording } from '../../key-check/simulator/recording.ts'

/** The text of docs/providers.md: every provider and key type, and the source of each answer that decides. */
export function providersPage(providers: Iterable<Provider>, recordings: readonly Recording[]): string {
  const all = [...providers]
  return `# Providers

Generated from the files in \`key-check/providers/\` by \`npm run generate\`. ${all.length} providers. [Add a provider](contributing/add-a-provider.md) shows how to add one.

An answer that a provider's file does not list is never a verdict: the check is then a 502. [Answers](#answers-that-decide) has the source
of every answer that is a verdict.

*Besides the key* lists the email address and the members of \`parts\` of the credential; those in brackets are optional.

| id | provider | key type | label | besides the key | first call | create a key |
|---|---|---|---|---|---|---|
${all.flatMap(rowsOf).join('\n')}

## What a check needs and shows

The first call needs the permission in the second column. *Shown* says when a check reads what a valid key can do: [what a key can do](checking-keys.md#what-a-key-can-do).
The last column has the provider's name of the permission for each ability.

*Known from* says how well the provider's answers are known, and is \`certainty\` in \`GET /api/v1/providers\`: its \`documented\` API, \`logged\` real answers, the \`client code\` of
other programs, or a \`guess\` about the call. An answer that none of them shows proves nothing.

| provider | known from | first call needs | shown | permissions |
|---|---|---|---|---|
${all.map(abilityRow).join('\n')}

## Remarks

${all.flatMap(({ title, docs, remarks }) => (remarks ? [`- **[${title}](${docs})**: ${remarks}`] : [])).join('\n')}

## Answers that decide

How certain a verdict is depends on its answer, not on the provider. Each of these answers was documented by the provider, logged
from a real request, or is expected by a public client. An answer without a source proves nothing. For Cloudflare,
the comments in its provider file have the sources.

| provider | status | verdict | source |
|---|---|---|---|
${recordings.flatMap(answersOf).join('\n')}

## Rates

The maximum calls per second to a provider; 50 for providers that are not listed. \`MUSTER_PROVIDER_CALLS_PER_SECOND\` changes it for all of them.

| provider | calls per second | documented limit |
|---|---|---|
${all.flatMap(ratesOf).join('\n')}

## New keys

These providers reject a new key for some seconds. Muster sends such a key once more before the deadline, and forgets a rejection after 5 s. The
message then says to try again later if the key is new.

| provider | longest reported time | source |
|---|---|---|
${all.flatMap(newKeysOf).join('\n')}

## Not supported

The problem \`provider_unsupported\` gives the same reasons, and suggests an id for a misspelt one. A name that several providers have is rejected with their ids.

${Object.entries(unsupportedProviders)
  .map(([id, reason]) => `- \`${id}\`: ${reason}.`)
  .join('\n')}
`
}

function rowsOf(provider: Provider): string[] {
  const { id, title, keyPage, keyTypes, docs } = provider
  const types: readonly KeyType[] = ['api_token', 'api_key']
  return types.flatMap((keyType) => {
    const info = keyTypes[keyType]
    if (!info) return []
    const cells = [
      `\`${id}\``,
      `[${title}](${docs})`,
      `\`${keyType}\``,
      info.label,
      besideKey(provider, keyType),
      `\`${firstCall(provider, keyType)}\``,
      `[page](${keyPage})`,
    ]
    return [`| ${cells.join(' | ')} |`]
  })
}

function abilityRow({ id, certainty, firstRead, abilities, permissions = {} }: Provider): string {
  const names = Object.entries(permissions).map(([ability, name]) => `\`${ability}\`: ${name}`)
  const { needs = 'any key of the type' } = firstRead
  return `| \`${id}\` | ${certainty} | ${needs} | ${shownBy(abilities)} | ${names.join('<br>') || '–'} |`
}

function shownBy(abilities: Provider['abilities']): string {
  if (typeof abilities === 'string') return 'always'
  if ('unknown' in abilities) return `never: ${abilities.unknown}`
  const proof = abilities.proof ? '; `dns:edit` by a [proof](checking-keys.md#prove-that-a-key-may-edit)' : ''
  if (abilities.isAlwaysRead) return `always, by more calls${proof}`
  if (!abilities.list) return `always; one more call for a zone${proof}`
  return `with details, by more calls${proof}`
}

function ratesOf({ id, callsPerSecondMax, documentedRate: rate }: Provider): string[] {
  if (callsPerSecondMax === undefined) return []
  const documented = rate ? `${rate.calls} calls in ${rate.seconds} s (${rate.source})` : '–'
  return [`| \`${id}\` | ${callsPerSecondMax} | ${documented} |`]
}

function newKeysOf({ id, newKeys }: Provider): string[] {
  return newKeys ? [`| \`${id}\` | ${newKeys.settlesAfterMs / 1_000} s | ${newKeys.source} |`] : []
}

function answersOf({ id, answers }: Recording): string[] {
  const rowOf = ({ status, verdict, source }: RecordedAnswer) =>
    verdict ? [`| \`${id}\` | ${status} | \`${verdict.code}\` | ${source} |`] : []
  return [...new Set(answers.flatMap(rowOf))]
}

function besideKey(provider: Provider, keyType: KeyType): string {
  const fields = infoOf(provider).keyTypes.find((type) => type.keyType === keyType)?.fields ?? []
  const others = fields.filter(({ name }) => name !== 'apiKey')
  const names = others.map(({ name, label, required, options }) => {
    const what = options ? options.map((option) => `\`${option}\``).join(', ') : label
    return required ? `\`${name}\` (${what})` : `[\`${name}\` (${what})]`
  })
  return names.join('<br>') || '–'
}
