import { execFile } from 'node:child_process'
import { cp, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const run = promisify(execFile)
const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const MAX_OUTPUT = { maxBuffer: 64 * 1024 * 1024 }

/** Tables that a migration of the next release may extend: all that are written while messages are sent. */
const NEXT_MIGRATION = ['campaigns', 'campaign_messages', 'message_claims', 'senders', 'wallets', 'webhook_deliveries']
	.map((table) => `alter table ${table} add column drill integer;\n`)
	.join('')

/**
 * Returns the commit of the release to upgrade from: the revision `from`, or the last tag by default. Throws an error that
 * names the option if there is no tag, or if git does not know the revision.
 */
export async function lastRelease(from: string | undefined): Promise<string> {
	const revision = from ?? (await lastTag())
	if (revision === null)
		throw new Error('git knows no tag of a release. Name the release to upgrade from, as in: --from REVISION')
	const commit = await git('rev-parse', '--verify', '--quiet', `${revision}^{commit}`).catch(() => null)
	if (commit === null) throw new Error(`git knows no revision ${revision}. Name another one, as in: --from REVISION`)
	return commit.trim()
}

function lastTag(): Promise<string | null> {
	return git('describe', '--tags', '--abbrev=0').then(
		(tag) => tag.trim(),
		() => null,
	)
}

/** Writes the sources of a revision to `folder`, installed and built. */
export async function extractRelease(revision: string, folder: string): Promise<void> {
	await mkdir(folder)
	const archive = join(folder, 'release.tar')
	await git('archive', '--output', archive, revision)
	await run('tar', ['-xf', archive, '-C', folder])
	await install(folder)
}

/** Writes the current sources to `folder`. Adds a migration if the last release has the same migrations. */
export async function copyWorkTree(folder: string, last: string): Promise<void> {
	const files = (await git('ls-files', '-z', '--cached', '--others', '--exclude-standard')).split('\0').filter(Boolean)
	for (const file of files) await cp(join(ROOT, file), join(folder, file)).catch(ignoreMissing)
	const [here, there] = await Promise.all([folder, last].map((each) => readdir(join(each, 'db', 'migrations'))))
	if (here?.length === there?.length)
		await writeFile(join(folder, 'db', 'migrations', '9000_drill.sql'), NEXT_MIGRATION)
	await install(folder)
}

/** Words in the paths of the tests of sending and of webhooks, in this release and in earlier ones. */
const TESTS = ['sending/sending', '/claims.test', '/recovery.test', 'settlement/settle', 'webhooks/', 'test/crash']

/** Runs tests of one release on the schema of another. Returns the number of failures. */
export async function testOn(release: string, schemaOf: string): Promise<number> {
	await cp(join(schemaOf, 'db'), join(release, 'db'), { recursive: true })
	let failed = 0
	for (const word of TESTS) {
		// A busy machine may fail tests that depend on time; a failure caused by the schema repeats.
		const isFine = (await runTests(release, word)).failed === 0
		if (!isFine) failed += (await runTests(release, word, process.stdout)).failed
	}
	return failed
}

async function runTests(release: string, word: string, shown?: NodeJS.WriteStream): Promise<{ failed: number }> {
	const output = await run(process.execPath, ['scripts/test.ts', '--only', 'unit', word], {
		cwd: release,
		env: { ...process.env, TEST_DATABASE_URL: '' },
		...MAX_OUTPUT,
	}).then(
		({ stdout }) => stdout,
		(error: { stdout?: string }) => error.stdout ?? '',
	)
	const counts = /(\d+) passed, (\d+) failed\s*$/.exec(output)
	if (!counts || counts[1] === '0') throw new Error(`the tests of the last release did not run:\n${output}`)
	shown?.write(output)
	return { failed: Number(counts[2]) }
}

/**
 * Links the packages and the web app of this checkout into a release, or installs and builds its own if its lock file
 * differs.
 */
async function install(folder: string): Promise<void> {
	const [theirs, ours] = await Promise.all(
		[folder, ROOT].map((each) => readFile(join(each, 'package-lock.json'), 'utf8')),
	)
	if (theirs !== ours) {
		await run(process.execPath, ['scripts/bootstrap.mjs', 'build'], { cwd: folder, ...MAX_OUTPUT })
		return
	}
	for (const name of ['node_modules', 'dist']) await symlink(join(ROOT, name), join(folder, name))
}

async function git(...args: string[]): Promise<string> {
	return (await run('git', args, { cwd: ROOT, ...MAX_OUTPUT })).stdout
}

/** Throws any error except that of a missing file, because git also lists files that were deleted without a commit. */
function ignoreMissing(error: NodeJS.ErrnoException): void {
	if (error.code !== 'ENOENT') throw error
}
