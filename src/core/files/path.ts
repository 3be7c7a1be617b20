/** Bytes of a whole path and of one segment of it, as UTF-8. */
const PATH_BYTES = 1_024
const SEGMENT_BYTES = 255

const bytesOf = (text: string): number => new TextEncoder().encode(text).length

/** Why a text cannot be the path of a file; null when it can. Spaces, quotes, line ends and any script are fine. */
export function pathFault(path: string): string | null {
  if (path === '') return 'is empty'
  if (!path.isWellFormed()) return 'holds half of a character'
  if (path.includes('\0')) return 'holds a NUL character'
  if (bytesOf(path) > PATH_BYTES) return `is longer than ${PATH_BYTES} bytes`
  for (const segment of path.split('/')) {
    if (segment === '') return 'begins or ends with "/" or holds "//"'
    if (segment === '.' || segment === '..') return `holds the segment "${segment}"`
    if (bytesOf(segment) > SEGMENT_BYTES) return `has a segment longer than ${SEGMENT_BYTES} bytes`
  }
  return null
}

/** The last segment of a path: what the file is called where it stands alone. */
export const baseName = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

/** What names and words are compared by. */
export const searchKey = (text: string): string => text.normalize('NFKC').toLowerCase()

const MEDIA_TYPES = new Map([
  ['aac', 'audio/aac'],
  ['avif', 'image/avif'],
  ['csv', 'text/csv'],
  ['flac', 'audio/flac'],
  ['gif', 'image/gif'],
  ['gz', 'application/gzip'],
  ['htm', 'text/html'],
  ['html', 'text/html'],
  ['jpeg', 'image/jpeg'],
  ['jpg', 'image/jpeg'],
  ['json', 'application/json'],
  ['m4a', 'audio/mp4'],
  ['md', 'text/markdown'],
  ['mkv', 'video/x-matroska'],
  ['mov', 'video/quicktime'],
  ['mp3', 'audio/mpeg'],
  ['mp4', 'video/mp4'],
  ['ogg', 'audio/ogg'],
  ['pdf', 'application/pdf'],
  ['png', 'image/png'],
  ['srt', 'application/x-subrip'],
  ['svg', 'image/svg+xml'],
  ['tar', 'application/x-tar'],
  ['txt', 'text/plain'],
  ['vtt', 'text/vtt'],
  ['wav', 'audio/wav'],
  ['webm', 'video/webm'],
  ['webp', 'image/webp'],
  ['xml', 'application/xml'],
  ['zip', 'application/zip'],
])

/** The media type that a path's ending stands for. */
export function mediaTypeOf(path: string): string {
  const ending = /\.([a-z0-9]+)$/i.exec(path)?.[1]?.toLowerCase() ?? ''
  return MEDIA_TYPES.get(ending) ?? 'application/octet-stream'
}
