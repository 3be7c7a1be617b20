import { listConnections } from './connections/list.ts'
import { deleteFile } from './files/delete.ts'
import { findFile } from './files/find.ts'
import { listFiles } from './files/list.ts'
import { readFile } from './files/read.ts'
import { writeFile } from './files/write.ts'
import type { AnyOperation } from './operation.ts'
import { cancelTask } from './tasks/cancel.ts'
import { listTasks } from './tasks/list.ts'
import { readTask } from './tasks/read.ts'
import { reportResult } from './tasks/report.ts'
import { runTool } from './tasks/run.ts'
import { describeTool } from './tools/describe.ts'
import { findToolForJob } from './tools/find.ts'
import { deleteTool } from './tools/publishing/delete.ts'
import { publishTool } from './tools/publishing/publish.ts'
import { unpublishTool } from './tools/publishing/unpublish.ts'
import { saveTool } from './tools/save.ts'

/** Everything that Workshop can do, in the order in which it is announced. */
export const OPERATIONS: readonly AnyOperation[] = [
  findToolForJob,
  runTool,
  readTask,
  listTasks,
  cancelTask,
  reportResult,
  describeTool,
  saveTool,
  publishTool,
  unpublishTool,
  deleteTool,
  writeFile,
  findFile,
  listFiles,
  readFile,
  deleteFile,
  listConnections,
]
