import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { HOUR_MS } from '#lib/durations.ts'

const PREFIX = 'whatsapp-file-'
/** Milliseconds after which a folder counts as abandoned by a killed process; longer than any call. */
const ABANDONED_AFTER_MS = HOUR_MS

/**
 * Creates a folder for a file in transit; the caller removes it. Also removes folders of killed processes, since TMPDIR
 * outlives them and such files may contain personal data.
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
