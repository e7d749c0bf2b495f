import Type from 'typebox'
import { contract, json, textContent, unchanged } from '../platform/http/contract.ts'

export const openapiContract = contract('GET /openapi.json', 'public', {
  id: 'getOpenapiDocument',
  tag: 'Operation',
  summary: 'Get this document',
  description: 'The contract of the service as OpenAPI 3.1.',
  answers: {
    200: json('OpenAPI 3.1', Type.Object({ openapi: Type.String() }, { $id: 'OpenapiDocument' }), { openapi: '3.1.0' }),
    304: unchanged,
  },
})

export const problemsPageContract = contract('GET /docs/problems.md', 'public', {
  id: 'getProblemsPage',
  tag: 'Operation',
  summary: 'Get the list of problems',
  description: 'The page that the member `type` of a problem links to.',
  answers: {
    200: { description: 'Markdown', content: textContent('text/markdown', '# Problems\n') },
    303: {
      description: 'For browsers: the same page of the guide. A browser keeps the fragment of the URL.',
      headers: { Location: { description: 'A path of this service.', schema: Type.String() } },
    },
    304: unchanged,
  },
})

export const docsPageContract = contract('GET /docs', 'public', {
  id: 'getDocsPage',
  tag: 'Operation',
  summary: 'Open the API reference',
  description: 'A page that shows this document and can send requests. It loads resources only from this service.',
  answers: { 200: { description: 'HTML', content: textContent('text/html', '<!doctype html>\n') } },
})

export const docsScriptContract = contract('GET /docs/reference.js', 'public', {
  id: 'getDocsScript',
  tag: 'Operation',
  summary: 'Get the script of /docs',
  description: 'Swagger UI (Apache-2.0), set up for this document.',
  answers: {
    200: { description: 'JavaScript', content: textContent('text/javascript', '(function(') },
    304: unchanged,
  },
})

export const docsStyleContract = contract('GET /docs/reference.css', 'public', {
  id: 'getDocsStyle',
  tag: 'Operation',
  summary: 'Get the style sheet of /docs',
  description: 'The style sheet of Swagger UI (Apache-2.0).',
  answers: { 200: { description: 'CSS', content: textContent('text/css', '.swagger-ui {}') }, 304: unchanged },
})
