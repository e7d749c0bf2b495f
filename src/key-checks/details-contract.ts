import Type from 'typebox'
import { abilityNames, zonePattern } from '../../key-check/index.ts'
import { named } from '../platform/http/contract.ts'

export const KeyPurpose = named(
  'KeyPurpose',
  {
    zone: Type.Optional(
      Type.String({
        pattern: zonePattern,
        minLength: 3,
        maxLength: 253,
        description: 'The zone that the key is for: a host name, in ASCII.',
      }),
    ),
    ability: Type.Optional(Type.Enum(abilityNames, { description: 'What it has to be able to do.' })),
  },
  {
    minProperties: 1,
    description:
      'What the key is for, at least one of the two. The answer is in `details.fitsPurpose`, so it needs `?details=true`. It changes neither the calls to the provider nor `isValid`.',
  },
)

const abilities = (description: string) => Type.Optional(Type.Array(Type.Enum(abilityNames), { description }))
const words = (maxItems: number, description: string) =>
  Type.Optional(Type.Array(Type.String(), { maxItems, description }))

export const KeyCapabilities = named('KeyCapabilities', {
  scopes: words(50, 'Its scopes, in the words of the provider.'),
  abilities: abilities('What a read or its scopes show that it may do.'),
  lacks: abilities('What they show that it may not do. What stands in neither list is not known.'),
  limitedByOwner: Type.Optional(
    Type.Literal(true, {
      description:
        'The provider also limits it to what its owner may do, and that was not read: it may do less than `abilities`.',
    }),
  ),
  zonesVisible: Type.Optional(Type.Integer({ minimum: 0, description: 'How many zones are listed to it.' })),
  zones: words(50, 'Their names. All of them where there are as many as `zonesVisible`, otherwise the first.'),
  services: words(50, 'The services that it is limited to, by the ids of the provider.'),
  addresses: words(50, 'The addresses that it may be used from (IP or CIDR).'),
})

/** Sent only with `?details=true`. What could not be found out is omitted. */
export const KeyDetails = named('KeyDetails', {
  provider: Type.String(),
  code: Type.String({ description: 'The outcome, stable: see docs/messages.md.' }),
  credential: Type.String({ description: 'What it turned out to be, such as `user_token`.' }),
  notBefore: Type.Optional(Type.String({ description: 'RFC 3339.' })),
  expiresOn: Type.Optional(Type.String({ description: 'RFC 3339.' })),
  warnings: Type.Array(Type.String(), { description: 'Limits of a valid credential, or an end that is near.' }),
  capabilities: Type.Optional(KeyCapabilities),
  fitsPurpose: Type.Optional(
    Type.Enum(['yes', 'no', 'unknown'], {
      description: 'Whether it fits `for` of the body: `yes` and `no` only where that was shown.',
    }),
  ),
  purpose: Type.Optional(Type.String({ description: 'Why, and what is missing: one sentence for a person.' })),
  checkedAt: Type.String({ description: 'RFC 3339.' }),
  cached: Type.Boolean({ description: 'Whether the verdict comes from the cache.' }),
})
