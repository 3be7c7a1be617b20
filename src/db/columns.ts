import { integer, text } from 'drizzle-orm/sqlite-core'

/** A moment: milliseconds since 1970-01-01T00:00:00Z. */
export const at = (name: string) => integer(name)

/** JSON kept as text. */
export const json = <T>(name: string) => text(name, { mode: 'json' }).$type<T>()
