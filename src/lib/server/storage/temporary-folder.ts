import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const PREFIX = 'whatsapp-file-'
/** Longer than any call takes: the process of an older one was killed. */
const ABANDONED_AFTER_MS = 3_600_000

/**
 * Makes a folder for a file that is on its way. Its user removes it; what processes that were killed have left is removed here,
 * since TMPDIR outlives them, and such a file may hold thousands of people.
 */
export async function makeTemporaryFolder(parent = tmpdir()): Promise<string> {
	await removeAbandoned(parent)
	return mkdtemp(join(parent, PREFIX))
}

async function removeAbandoned(parent: string): Promise<void> {
	const newest = Date.now() - ABANDONED_AFTER_MS
	for (const name of (await readdir(parent)).filter((each) => each.startsWith(PREFIX))) {
		const path = join(parent, name)
		const changedAt = await stat(path).then(
			({ mtimeMs }) => mtimeMs,
			() => null,
		)
		if (changedAt !== null && changedAt < newest) await rm(path, { recursive: true, force: true }).catch(() => {})
	}
}
