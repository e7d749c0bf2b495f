import { firstCall, infoOf, leftOut } from '../../key-check/engine/catalogue.ts'
import type { Provider } from '../../key-check/engine/provider.ts'
import type { KeyType } from '../../key-check/index.ts'
import type { RecordedAnswer, Recording } from '../../key-check/simulator/recording.ts'

/** The text of docs/providers.md: every provider and key type, and the source of each answer that decides. */
export function providersPage(providers: Iterable<Provider>, recordings: readonly Recording[]): string {
  const all = [...providers]
  return `# Providers

Generated from the files in \`key-check/providers/\` by \`npm run generate\`. ${all.length} providers. [Add a provider](contributing/add-a-provider.md) shows how to add one.

An answer that is not listed in a provider's file is never a verdict: the check then answers 502. [Answers](#answers-that-decide) says
of each one that is a verdict where it is known from.

*Beside the key* names the email address or the members of \`parts\` that the credential has; those in brackets may be omitted.

| id | provider | key type | what it is | beside the key | asked | make a key |
|---|---|---|---|---|---|---|
${all.flatMap(rowsOf).join('\n')}

## Remarks

${all.flatMap(({ title, docs, remarks }) => (remarks ? [`- **[${title}](${docs})**: ${remarks}`] : [])).join('\n')}

## Answers that decide

How sure a verdict is depends on the answer that it rests on, not on the provider. Each of these was documented by the provider, logged
from a real request, or is expected by a client that is public. An answer for which no source was found decides nothing. For Cloudflare,
the comments in its provider file say so.

| provider | status | verdict | known from |
|---|---|---|---|
${recordings.flatMap(answersOf).join('\n')}

## Rates

So many calls a second are made to a provider at most; 50 to one that is not listed. \`MUSTER_PROVIDER_CALLS_PER_SECOND\` sets another number.

| provider | at most | documented |
|---|---|---|
${all.flatMap(ratesOf).join('\n')}

## Left out

Credentials of these are not checked. The problem \`provider_unsupported\` gives the same reasons, and names the nearest id for one that is misspelt.

${Object.entries(leftOut)
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

function ratesOf({ id, callsPerSecondMax, documentedRate: rate }: Provider): string[] {
  if (callsPerSecondMax === undefined) return []
  const documented = rate ? `${rate.calls} calls in ${rate.seconds} s (${rate.source})` : '–'
  return [`| \`${id}\` | ${callsPerSecondMax} | ${documented} |`]
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
