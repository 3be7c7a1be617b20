import { defineConfig } from 'drizzle-kit'

/** Paths are relative to the folder that drizzle-kit is started in: the repository's root. */
export default defineConfig({ dialect: 'sqlite', schema: './src/db/schema/*.ts', out: './migrations' })
