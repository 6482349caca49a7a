import { spawnSync } from 'node:child_process'
import { existsSync, globSync } from 'node:fs'
import { dirname } from 'node:path'

/** Test files of every quick run: permissions, money, and one journey in a browser. */
const ALWAYS = ['test/access.test.ts', 'test/money.test.ts', 'test/e2e/campaign-journey.spec.ts']
/** Maximum number of test files of changed files in a quick run: about two minutes. */
const MAX_TOUCHED = 20

/**
 * Returns the test files of a quick run: at most MAX_TOUCHED of the changes since `main` or the last commit, and
 * `ALWAYS`.
 */
export function quickTests(): string[] {
	const touched = new Set(changedFiles().flatMap(testsOf))
	if (touched.size > MAX_TOUCHED)
		console.log(`${touched.size} test files belong to your change; the quick run takes the first ${MAX_TOUCHED}.`)
	return [...[...touched].slice(0, MAX_TOUCHED), ...ALWAYS]
}

function changedFiles(): string[] {
	const [head, main] = [git('rev-parse', 'HEAD'), git('merge-base', 'HEAD', 'main')]
	const base = main === '' || main === head ? 'HEAD~1' : main
	const changed = `${git('diff', '--name-only', base)}\n${git('ls-files', '--others', '--exclude-standard')}`
	return changed.split('\n').filter((path) => path !== '' && existsSync(path))
}

/** Returns the test of a file, or all tests of its folder when it has no test of its own. */
function testsOf(path: string): string[] {
	if (/\.(?:test|spec)\.tsx?$/.test(path)) return [path]
	if (!/^(?:src|simulator|embedded)\/.*\.tsx?$/.test(path)) return []
	const own = globSync(path.replace(/\.tsx?$/, '.test.{ts,tsx}'))
	return own.length > 0 ? own : globSync(`${dirname(path)}/*.test.{ts,tsx}`)
}

function git(...args: string[]): string {
	return spawnSync('git', args, { encoding: 'utf8' }).stdout?.trim() ?? ''
}
