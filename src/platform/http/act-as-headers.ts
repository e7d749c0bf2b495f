import Type from 'typebox'
import { uuidRules } from './formats.ts'

/** Names the user as whom an administrator reads, as Node has the name of the header. */
export const actAsHeader = 'act-as'
/** Of every answer to it: the administrator. */
export const actedByHeader = 'acted-by'

/** As the document has them. Source: docs/decisions/callers.md. */
export const actAsParameter = {
  name: 'Act-As',
  description:
    'The id of a user as whom an administrator reads, once `POST /api/v1/admin/users/{userId}/act-as` has started it. The answer is that user’s, is never stored, has no `ETag`, and bears `Acted-By`.',
  schema: Type.String(uuidRules),
} as const

export const actedByHeaders = {
  'Acted-By': {
    description:
      'Of an answer to `Act-As`: the account that reads it. An answer without this header is about the caller.',
    schema: Type.String(),
  },
} as const
