/** General categories: the long names that ECMA-262 allows in `\p{…}`, and their short ones. */
const CATEGORIES: Record<string, string> = {
  Cased_Letter: 'LC',
  Close_Punctuation: 'Pe',
  Combining_Mark: 'M',
  Connector_Punctuation: 'Pc',
  Control: 'Cc',
  Currency_Symbol: 'Sc',
  Dash_Punctuation: 'Pd',
  Decimal_Number: 'Nd',
  Enclosing_Mark: 'Me',
  Final_Punctuation: 'Pf',
  Format: 'Cf',
  Initial_Punctuation: 'Pi',
  Letter: 'L',
  Letter_Number: 'Nl',
  Line_Separator: 'Zl',
  Lowercase_Letter: 'Ll',
  Mark: 'M',
  Math_Symbol: 'Sm',
  Modifier_Letter: 'Lm',
  Modifier_Symbol: 'Sk',
  Nonspacing_Mark: 'Mn',
  Number: 'N',
  Open_Punctuation: 'Ps',
  Other: 'C',
  Other_Letter: 'Lo',
  Other_Number: 'No',
  Other_Punctuation: 'Po',
  Other_Symbol: 'So',
  Paragraph_Separator: 'Zp',
  Private_Use: 'Co',
  Punctuation: 'P',
  Separator: 'Z',
  Space_Separator: 'Zs',
  Spacing_Mark: 'Mc',
  Symbol: 'S',
  Titlecase_Letter: 'Lt',
  Unassigned: 'Cn',
  Uppercase_Letter: 'Lu',
  cntrl: 'Cc',
  digit: 'Nd',
  punct: 'P',
}

/**
 * The name inside `\p{…}` as RE2 knows it: categories by their short names, scripts and properties as they
 * are. Undefined for a form that is not understood; an unknown name is left for the engine to refuse.
 */
export function unicodeClass(name: string): string | undefined {
  const [key = '', value] = name.split('=')
  if (value === undefined) return Object.hasOwn(CATEGORIES, key) ? CATEGORIES[key] : key
  if (key === 'Script' || key === 'sc') return value
  if (key === 'General_Category' || key === 'gc') return unicodeClass(value)
  return undefined
}
