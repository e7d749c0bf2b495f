export function contractChanges(older: object, newer: object, today?: Date): readonly string[]
export function contractShape(value: unknown): unknown
export function dereferenced<Document extends object>(document: Document): Document
