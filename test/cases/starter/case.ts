/** What goes into a tool of the starter set, and the part of its output that matters or what it says to bad input. */
export interface StarterCase {
  input: Record<string, unknown>
  output?: Record<string, unknown>
  says?: string | RegExp
}

/** By the slug of the tool. */
export type StarterCases = Record<string, StarterCase[]>

export const gives = (input: StarterCase['input'], output: Record<string, unknown>): StarterCase => ({
  input,
  output,
})
export const refuses = (input: StarterCase['input'], says: string | RegExp): StarterCase => ({ input, says })
