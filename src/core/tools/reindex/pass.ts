import type { Context } from '../../context.ts'
import type { Descriptor } from '../descriptor/descriptor.ts'
import { jobsText } from '../search/index/jobs.ts'
import { placeWord } from '../search/index/keys.ts'
import { searchText } from '../search/text.ts'
import { findOld, readOld, remake, type OldTool, type OldVersion, type Remade } from './store.ts'

type Place = Pick<Context, 'db' | 'log'>

/** Tools that one minute makes anew at most; what is left over is done in the next. */
const MOST = 100

/**
 * Makes the index rows of tools anew that an older text chain made, or that were saved when there was no index: of the
 * newest version for its account, of the published one for everyone. Whoever saves, publishes, withdraws or reports
 * meanwhile has won; what that leaves old is done in the next minute.
 */
export async function reindexOld(place: Place): Promise<void> {
  for (const toolRow of await findOld(place.db, MOST)) {
    try {
      await reindex(place, toolRow)
    } catch (error) {
      place.log('reindex_failed', { toolRow, error: String(error) })
    }
  }
}

async function reindex(place: Place, toolRow: string): Promise<void> {
  const old = await readOld(place.db, toolRow)
  if (!old) return
  const own = old.own && remadeOf(place, old, old.own)
  const published =
    old.published?.id === old.own?.id ? own : old.published && remadeOf(place, old, old.published)
  await remake(place.db, old, { own, published })
}

/** A version whose descriptor cannot be read keeps the rows it has, until there is another chain. */
function remadeOf({ log }: Place, { toolRow, handle }: OldTool, { id, descriptor, met }: OldVersion): Remade {
  try {
    // Only accepted descriptors are stored, unless something broke them.
    const accepted = JSON.parse(descriptor) as Descriptor
    const text = { ...searchText(accepted, handle), jobs: jobsText(met) }
    return { id, columns: { ...text, places: accepted.placements.map(placeWord).join(' ') } }
  } catch (error) {
    log('reindex_failed', { toolRow, versionId: id, error: String(error) })
    return { id, columns: null }
  }
}
