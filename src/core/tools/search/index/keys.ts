/** Stands before every word of an account in `own_search`, so that the words of others are other words. */
export const keyOf = (accountId: string): string => accountId.toLowerCase().replaceAll(/[^a-z0-9]/g, '')

/** Words parted by spaces, each behind a key, and without it again. */
export const withKey = (key: string, text: string): string =>
  text === '' ? '' : key + text.replaceAll(' ', ` ${key}`)
export const withoutKey = (key: string, text: string): string => text.replaceAll(key, '')

/** A placement as one word of the index. */
export const placeWord = (placement: string): string => placement.replaceAll(/[^a-z]/g, '')
