import { expect, test } from 'vitest'
import { LICENCE_CLASSES, PLACEMENTS } from '../../../../src/core/tools/descriptor/index.ts'
import { faultsOf, HTTP, MODEL } from './patch.ts'

const INVOKES = { container: {}, model: MODEL, http: HTTP }
const CONTAINER =
  'container goes with ["placement:deployed-container"] with "licence:maker-own", or ' +
  '["placement:own-computer"] with "licence:maker-own" or "licence:own-computer-only"'

test('exactly these kinds, placements and licences go together', () => {
  const allowed = Object.entries(INVOKES).flatMap(([kind, patch]) =>
    PLACEMENTS.flatMap((placement) =>
      LICENCE_CLASSES.filter(
        (licence_class) => faultsOf({ ...patch, placements: [placement], licence_class }).length === 0,
      ).map((licence) => [kind, placement, licence].join(' ')),
    ),
  )
  expect(allowed).toEqual([
    'container placement:deployed-container licence:maker-own',
    'container placement:own-computer licence:maker-own',
    'container placement:own-computer licence:own-computer-only',
    'model placement:rented-model-runtime licence:permissive',
    'http placement:public-web-address licence:maker-own',
  ])
})

test('a wrong pairing says what goes together', () => {
  expect(
    faultsOf({ placements: ['placement:public-web-address'], licence_class: 'licence:permissive' }),
  ).toEqual([
    {
      path: 'descriptor.placements',
      message: '"placement:public-web-address" does not go with a container invoke',
      hint: CONTAINER,
    },
    {
      path: 'descriptor.licence_class',
      message: '"licence:permissive" does not go with a container invoke',
      hint: CONTAINER,
    },
  ])
})

test('a licence is judged by the place that was chosen', () => {
  expect(faultsOf({ licence_class: 'licence:own-computer-only' })).toEqual([
    {
      path: 'descriptor.licence_class',
      message:
        '"licence:own-computer-only" does not go with a container invoke in "placement:deployed-container"',
      hint: CONTAINER,
    },
  ])
})

test('what is wrong by itself is not blamed for the pairing', () => {
  const placements = ['placement:deployed-container', 'placement:own-computer']
  expect([
    faultsOf({ placements }),
    faultsOf({ placements: [] }),
    faultsOf({ placements: ['placement:own-computr'], licence_class: 'licence:permissive' }),
    faultsOf({ placements: ['placement:own-computer'], licence_class: 'licence:none' }).length,
  ]).toEqual([
    [{ path: 'descriptor.placements', message: 'must name exactly one place', hint: CONTAINER }],
    [{ path: 'descriptor.placements', message: 'is empty' }],
    [
      {
        path: 'descriptor.placements[0]',
        message: expect.stringContaining('"placement:own-computer"'),
        hint: 'did you mean "placement:own-computer"?',
      },
    ],
    1,
  ])
})
