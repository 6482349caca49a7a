import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { endChildren } from '#test/child-process.ts'
import { FILES_VARIABLE, MAX_STEP_MS } from './steps.ts'

// Runs test files in one process, each after the end of the one before: it starts its product, runs its tests and closes the
// product. A file that cannot be loaded, or whose test fails, does not affect the next file.
for (const file of process.env[FILES_VARIABLE]?.split(',') ?? []) {
	// The tests of the file are subtests, and have the time limit of the command line.
	void test(file, { timeout: MAX_STEP_MS }, async (t) => {
		t.after(endChildren)
		const loading = import(pathToFileURL(file).href)
		// The tests of the file wait for the constants that follow them in it.
		t.before(() => loading)
		await loading
	})
}
