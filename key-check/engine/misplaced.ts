import type { KeyType } from '../api.ts'
import type { Credential } from './credential.ts'
import type { KeyTypeFacts, PartInfo } from './key-type.ts'
import { mistakeIn } from './mistakes.ts'
import { endedServiceOf, otherServices } from './other-services.ts'
import { type Invalid, invalid, type Provider } from './provider.ts'

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

const servicesByForm = otherServices.map((service) => ({ ...service, form: new RegExp(service.form.pattern) }))

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
