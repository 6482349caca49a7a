import {
	chmodSync,
	copyFileSync,
	cpSync,
	existsSync,
	mkdirSync,
	readdirSync,
	renameSync,
	statSync,
	writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { Client } from 'pg'

/**
 * Files and folders that the copy omits, as PostgreSQL's manual advises: they belong to the running server or are recreated.
 */
const NOT_COPIED = new Set([
	'pg_wal',
	'pg_dynshmem',
	'pg_notify',
	'pg_replslot',
	'pg_serial',
	'pg_snapshots',
	'pg_stat_tmp',
	'pg_subtrans',
	'postmaster.pid',
	'postmaster.opts',
])
/** Prefix of the replication slot that retains the WAL while the files are copied. */
const SLOT = 'backup_in_progress'

/**
 * Copies the files of a running PostgreSQL into a new folder, consistent as of the end of the copy: a base backup of the server
 * with the WAL written meanwhile. Clients of the database do not wait.
 */
export async function copyCluster({ url, from, to }: { url: string; from: string; to: string }): Promise<void> {
	const [source, target] = [join(from, 'data'), join(to, 'data')]
	mkdirSync(to, { recursive: true, mode: 0o700 })
	const client = new Client({ connectionString: url })
	await client.connect()
	try {
		// A temporary slot: PostgreSQL drops it when the connection ends, even after a crash.
		await client.query('select pg_create_physical_replication_slot($1, true, true)', [`${SLOT}_${process.pid}`])
		await client.query(`select pg_backup_start('npm run backup', true)`)
		mkdirSync(target, { mode: 0o700 })
		for (const name of readdirSync(source)) {
			if (!NOT_COPIED.has(name)) copyTree(join(source, name), join(target, name))
			else if (statSync(join(source, name)).isDirectory()) mkdirSync(join(target, name), { mode: 0o700 })
		}
		const { label, firstWal } = await stopBackup(client)
		writeFileSync(join(target, 'backup_label'), label, { mode: 0o600 })
		const wal = readdirSync(join(source, 'pg_wal')).filter((name) => /^[0-9A-F]{24}$/.test(name) && name >= firstWal)
		for (const name of wal) copyTree(join(source, 'pg_wal', name), join(target, 'pg_wal', name))
	} finally {
		await client.end()
	}
	copyFileSync(join(from, 'password'), join(to, 'password'))
}

/** Ends the base backup. Returns the text of its label and the name of the first WAL file that it needs. */
async function stopBackup(client: Client): Promise<{ label: string; firstWal: string }> {
	const { rows } = await client.query<{ label: string }>('select labelfile as label from pg_backup_stop(false)')
	const label = rows[0]?.label ?? ''
	const firstWal = /^START WAL LOCATION: \S+ \(file ([0-9A-F]{24})\)$/m.exec(label)?.[1]
	if (firstWal === undefined) throw new Error('PostgreSQL did not say which files the backup needs.')
	return { label, firstWal }
}

/**
 * Copies a folder. Ignores a file that vanishes meanwhile, such as one of a dropped table: replaying the WAL restores the right
 * state.
 */
function copyTree(from: string, to: string): void {
	try {
		if (!statSync(from).isDirectory()) return copyFileSync(from, to)
		mkdirSync(to, { mode: 0o700 })
		for (const name of readdirSync(from)) copyTree(join(from, name), join(to, name))
	} catch (error) {
		if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error
	}
}

/**
 * Replaces a stopped cluster by a copy. Moves the existing cluster aside and returns its new path, or null if there was none.
 */
export function replaceCluster({ from, to }: { from: string; to: string }): string | null {
	if (!existsSync(join(from, 'data', 'backup_label'))) throw new Error(`${from} holds no backup of npm run backup.`)
	const fresh = `${to}.restored-${process.pid}`
	cpSync(from, fresh, { recursive: true, preserveTimestamps: true })
	chmodSync(join(fresh, 'data'), 0o700)
	const aside = existsSync(to) ? `${to}.before-${new Date().toISOString().replaceAll(/[:.]/g, '-')}` : null
	if (aside !== null) renameSync(to, aside)
	renameSync(fresh, to)
	return aside
}
