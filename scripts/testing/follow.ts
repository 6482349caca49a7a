import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { type Counts, TEST_FLAGS } from './node-tests.ts'
import { failStep } from './steps.ts'

/**
 * Runs test files until it is interrupted, and repeats them whenever one of them or their imports change. When `isInspected`,
 * runs one file once under Node's inspector after a debugger has connected.
 */
export async function followTests(files: string[], { isInspected }: { isInspected: boolean }): Promise<Counts> {
	if (files.length === 0 || (isInspected && files.length > 1)) {
		return failStep(
			'tests',
			`Choose ${isInspected ? 'one test file' : 'test files'} by words of the path. Found: ${files.join(', ') || 'none'}`,
		)
	}
	const mode = isInspected ? ['--inspect-wait'] : ['--test', '--watch', '--test-reporter=spec']
	const child = spawn(process.execPath, [...mode, ...TEST_FLAGS, ...files], {
		stdio: 'inherit',
	})
	const end = () => child.kill()
	process.once('exit', end)
	const [code] = (await once(child, 'exit')) as [number | null]
	process.off('exit', end)
	return code === 0 ? { passed: files.length, failed: 0 } : { passed: 0, failed: files.length }
}
