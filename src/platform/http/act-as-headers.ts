import Type from 'typebox'
import { uuidRules } from './formats.ts'

/** Request header: ID of the user as whom an administrator reads. In lower case, as in Node. */
export const actAsHeader = 'act-as'
/** Response header: the administrator's account. */
export const actedByHeader = 'acted-by'

/** For the OpenAPI document. Source: docs/decisions/callers.md. */
export const actAsParameter = {
  name: 'Act-As',
  description:
    'ID of the user as whom an administrator reads. Start with `POST /api/v1/admin/users/{userId}/act-as`. The response has the data of that user, is not cached, and has `Acted-By` and no `ETag`.',
  schema: Type.String(uuidRules),
} as const

export const actedByHeaders = {
  'Acted-By': {
    description:
      'In a response to `Act-As`: ID of the administrator. Without this header, the response is about the caller.',
    schema: Type.String(),
  },
} as const
