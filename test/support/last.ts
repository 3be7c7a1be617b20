import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Files that look at what all others of their project left behind. */
const isLast = ({ moduleId }: TestSpecification): boolean => moduleId.endsWith('/e2e/every-tool.test.ts')

/** The usual order of test files, save that those run last in their project. */
export class LastFiles extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const group = ({ project }: TestSpecification) => project.config.sequence.groupOrder
    const sorted = await super.sort(files)
    return sorted.toSorted((a, b) => group(a) - group(b) || Number(isLast(a)) - Number(isLast(b)))
  }
}
