import type { KeyType } from '../api.ts'
import type { Credential } from './credential.ts'
import type { KeyTypeFacts, PartInfo } from './key-type.ts'
import { otherServices } from './other-services.ts'
import { type Invalid, invalid, type Provider } from './provider.ts'

/** A value of the credential: its name, `apiKey` or that of a part, and what the provider says of it. */
interface Field extends Pick<PartInfo, 'label' | 'pattern' | 'publishedForm'> {
  readonly name: string
}

interface KnownForm extends Field {
  readonly provider: Provider
  readonly keyType: KeyType
  readonly form: RegExp
}

/**
 * Recognises a value that stands in the wrong place, by the forms that providers publish: a key of another provider or service, or another
 * part of the credential. Nothing is sent then: a secret of one is not for another to see. Where two providers have the form, nothing is said.
 */
export function createMisplacedCheck(providers: Iterable<Provider>): (credential: Credential) => Invalid | undefined {
  const known = [...providers].flatMap(formsOf)
  return (credential) => {
    const { provider, keyType } = credential
    const info = provider.keyTypes[keyType]
    // At a server of the operator's own, a key may be whatever they chose.
    if (!info || provider.isOwnServer) return undefined
    for (const field of fieldsOf(info)) {
      const value = (field.name === 'apiKey' ? credential.apiKey : credential.parts.get(field.name))?.open() ?? ''
      if (isOwn(field, value)) continue
      const found = known.filter(({ form }) => form.test(value))
      const misplaced = explain(found, field, credential) ?? explainService(value)
      if (misplaced) return misplaced
    }
    return undefined
  }
}

function explain(found: readonly KnownForm[], field: Field, { provider, keyType }: Credential): Invalid | undefined {
  const [one] = found
  if (!one || found.some((other) => other.provider !== one.provider)) return undefined
  if (one.provider !== provider) return invalid('other_provider', { part: one.label, other: one.provider.title })
  // Another type of key of the same provider: its own answer tells more. A value in its own place does not come here.
  const other = found.find((form) => form.keyType === keyType)
  return other && invalid('other_part', { part: other.label, other: field.label })
}

const servicesByForm = otherServices.map((service) => ({ ...service, form: new RegExp(service.form.pattern) }))

function explainService(value: string): Invalid | undefined {
  const service = servicesByForm.find(({ form }) => form.test(value))
  return service && invalid('other_service', { part: service.label, other: service.title })
}

function isOwn({ pattern, publishedForm }: Field, value: string): boolean {
  return [pattern, publishedForm?.pattern].some((form) => form !== undefined && new RegExp(form).test(value))
}

function fieldsOf(info: KeyTypeFacts): readonly Field[] {
  const { label, keyLabel = label, publishedForm, parts = {} } = info
  const key = { name: 'apiKey', label: keyLabel, ...(publishedForm && { publishedForm }) }
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
