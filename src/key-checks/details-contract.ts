import Type from 'typebox'
import { abilityNames, proofNames, zonePattern } from '../../key-check/index.ts'
import { flag, named, text, time } from '../platform/http/contract.ts'

export const KeyPurpose = named(
  'KeyPurpose',
  {
    zone: Type.Optional(
      Type.String({
        pattern: zonePattern,
        minLength: 3,
        maxLength: 253,
        description: 'The zone that the key is for: a host name in ASCII.',
      }),
    ),
    ability: Type.Optional(Type.Enum(abilityNames, { description: 'What the key must be able to do.' })),
    prove: Type.Optional(
      Type.Enum(proofNames, {
        description:
          'Only with `zone` and the ability `dns:edit`. If no read shows whether the key may edit, the check sends one write that cannot succeed: AWS is asked to delete a TXT record of a random value. Other providers get no write. Default: a check only reads.',
      }),
    ),
  },
  {
    minProperties: 1,
    description:
      'What the key is for: a zone, an ability or both. The result is `details.fitsPurpose`, so it requires `?details=true`. The provider is asked for this zone by name where that is possible. It never changes `isValid`.',
  },
)

const abilities = (description: string) => Type.Optional(Type.Array(Type.Enum(abilityNames), { description }))
const words = (maxItems: number, description: string) =>
  Type.Optional(Type.Array(Type.String(), { maxItems, description }))

const KeyCapabilities = named('KeyCapabilities', {
  scopes: words(50, 'The provider’s own scope names.'),
  abilities: abilities('What the key can do, as shown by a read or its scopes.'),
  lacks: abilities('What the key cannot do. An ability in neither list is unknown.'),
  limitedByOwner: Type.Optional(
    Type.Literal(true, {
      description:
        'The provider also limits the key to its owner’s permissions, which were not read: it may be able to do less than `abilities`.',
    }),
  ),
  missing: words(50, 'What the key lacks, in the provider’s own words: permissions to add, or a service to enable.'),
  zonesVisible: Type.Optional(
    Type.Integer({ minimum: 0, description: 'How many zones the key can see, if the provider tells.' }),
  ),
  zones: words(50, 'The names of the first ones.'),
  moreZones: Type.Optional(Type.Literal(true, { description: 'The key can see more zones than `zones`.' })),
  services: words(50, 'The services that the key is limited to, by the provider’s ids.'),
  addresses: words(50, 'Where the key may be used from (IP or CIDR).'),
  unknown: Type.Optional(text('Why nothing is known about what the key can do: one sentence for users.')),
})

const KeyAdvice = named(
  'KeyAdvice',
  {
    text: text('One or two sentences for users.'),
    page: text('Where to create a key with fewer permissions.'),
  },
  { description: 'Why a valid key is more powerful than needed. Never a reason for `isValid: false`.' },
)

/** Sent only with `?details=true`. Unknown values are omitted. */
export const KeyDetails = named('KeyDetails', {
  provider: Type.String(),
  code: text('A stable code for the outcome: see docs/messages.md.'),
  credential: text('The kind of credential, such as `user_token`.'),
  notBefore: Type.Optional(time()),
  expiresOn: Type.Optional(time()),
  warnings: Type.Array(Type.String(), { description: 'Limits of a valid credential, or its approaching expiry.' }),
  advice: Type.Optional(KeyAdvice),
  capabilities: Type.Optional(KeyCapabilities),
  fitsPurpose: Type.Optional(
    Type.Enum(['yes', 'no', 'unknown'], {
      description: 'Whether the key fits `for` in the body: `yes` and `no` only if a call has shown it.',
    }),
  ),
  purpose: Type.Optional(text('The reason and what is missing: one sentence for users.')),
  checkedAt: text('RFC 3339: when this caller first got this verdict.'),
  cached: flag('Whether the verdict comes from an earlier check by this caller.'),
})
