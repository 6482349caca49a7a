import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { PLANTED_FAULTS, withFault } from './planted/faults.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

// `npm run test:planted` checks that tests detect the faults, which takes minutes.
test('each planted fault has a unique name, changes its file at one place, and names existing tests', () => {
	assert.ok(PLANTED_FAULTS.length >= 60)
	assert.equal(new Set(PLANTED_FAULTS.map(({ name }) => name)).size, PLANTED_FAULTS.length)
	for (const fault of PLANTED_FAULTS) {
		assert.notEqual(fault.text, fault.replacement, fault.name)
		assert.ok(withFault(fault, ROOT).includes(fault.replacement))
		assert.ok(fault.tests.length > 0 && fault.tests.every((file) => existsSync(`${ROOT}/${file}`)), fault.name)
	}
})
