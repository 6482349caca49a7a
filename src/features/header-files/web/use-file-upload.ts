import { useRef, useState } from 'react'
import { headerFiles, type FileSet } from '#features/header-files/contract.ts'
import type { FileKind } from '#features/header-files/rules.ts'
import { ApiError, call, messageOf } from '#lib/web/api.ts'
import { uploadTransport } from '#lib/web/files/upload.ts'

/** Files that are uploaded at the same time. */
const PARALLEL = 3
/** Refused files that are listed by name. */
const MAX_LISTED = 100
const NOT_UPLOADED = 'The files could not be uploaded'

interface Refused {
	name: string
	reason: string
}

/** The progress of an upload of many files. */
export interface UploadState {
	/** The set as the server last described it; null before the first file. */
	set: FileSet | null
	/** Numbers of the chosen files, and of the files among them that are uploaded, are refused or were in the set before. */
	chosen: number
	done: number
	/** Share of the zip that has been sent, from 0 to 1; null while none is being sent. */
	zipPart: number | null
	status: 'idle' | 'running' | 'paused'
	refused: readonly Refused[]
	refusedCount: number
	/** The reason why the upload stopped; null while it continues. */
	error: string | null
}

const IDLE: UploadState = {
	set: null,
	chosen: 0,
	done: 0,
	zipPart: null,
	status: 'idle',
	refused: [],
	refusedCount: 0,
	error: null,
}

interface UploadOptions {
	kind: FileKind
	/** The id of the set; empty before the first file. */
	setId: string
	onSet: (id: string) => void
	/** Called when all chosen files are done. */
	onDone: () => void
}

type Update = (change: (now: UploadState) => Partial<UploadState>) => void

/** A chosen file, or the address from which the server fetches one. */
type Item = File | string

/** Items that wait for their upload, and the signal that pauses it. */
interface Run {
	id: string
	queue: Item[]
	signal: AbortSignal
	update: Update
}

/**
 * Returns the upload of many files, each in a request of its own, which can be paused and continues with the files that are
 * not there yet. `fetchFrom` lets the server fetch files from addresses; `count` of them are new.
 */
export function useFileUpload({ kind, setId, onSet, onDone }: UploadOptions) {
	const [state, setState] = useState(IDLE)
	const queue = useRef<Item[]>([])
	const stopping = useRef(new AbortController())
	const update: Update = (change) => setState((now) => ({ ...now, ...change(now) }))
	const run = async (id: string) => {
		stopping.current = new AbortController()
		const { signal } = stopping.current
		update(() => ({ status: 'running', error: null }))
		const failed = await sendAll({ id, queue: queue.current, signal, update })
		update(() => (failed ? { status: 'paused', error: signal.aborted ? null : failed.message } : { status: 'idle' }))
		if (!failed) onDone()
	}
	const ensureSet = async () => setId || (await call(headerFiles.create, { body: { kind } })).set._id
	const add = async (files: readonly File[]) => {
		if (files.length === 0) return
		update((now) => ({ ...further(now, files.length), status: 'running', error: null }))
		try {
			const id = await ensureSet()
			if (!setId) onSet(id)
			const { set, names } = await call(headerFiles.get, { params: { id } })
			const known = new Set(names.map(keyOf))
			const left = files.filter((file) => !known.has(keyOf(file.name)))
			update((now) => ({ set, done: now.done + files.length - left.length }))
			queue.current.push(...left)
			await run(id)
		} catch (error) {
			update(() => ({ status: 'paused', error: messageOf(error, NOT_UPLOADED) }))
		}
	}
	const fetchFrom = async (addresses: readonly string[], count: number) => {
		update((now) => further(now, count))
		queue.current.push(...addresses)
		await run(setId)
	}
	return { ...state, ensureSet, add, fetchFrom, pause: () => stopping.current.abort(), resume: () => void run(setId) }
}

/** Returns the count with further files. A finished upload, with its refused files, is not counted again. */
function further({ chosen, status, set }: UploadState, count: number): Partial<UploadState> {
	return status === 'idle' && count > 0 ? { ...IDLE, set, chosen: count } : { chosen: chosen + count }
}

/** Sends the files of the queue, PARALLEL at a time. Returns the reason why it stopped before the end; null at the end. */
async function sendAll(run: Run): Promise<{ message: string } | null> {
	const ends = await Promise.allSettled(Array.from({ length: PARALLEL }, () => sendNext(run)))
	const failed = ends.find((end) => end.status === 'rejected')
	return failed ? { message: messageOf(failed.reason, NOT_UPLOADED) } : null
}

async function sendNext(run: Run): Promise<void> {
	const { queue, update } = run
	for (let item = queue.shift(); item; item = queue.shift()) {
		try {
			const set = await sendOne(run, item)
			update((now) => ({ done: now.done + 1, set: now.set && now.set.files > set.files ? now.set : set }))
		} catch (error) {
			if (!isRefusal(error)) {
				queue.unshift(item)
				throw error
			}
			refuse(update, [{ name: typeof item === 'string' ? item : item.name, reason: error.message }])
			update((now) => ({ done: now.done + 1 }))
		}
	}
}

async function sendOne({ id, signal, update }: Run, file: Item): Promise<FileSet> {
	const params = { id }
	if (typeof file === 'string')
		return (await call(headerFiles.addAddress, { params, body: { address: file }, signal })).set
	if (!isZip(file)) return (await call(headerFiles.add, { params, files: { file }, signal })).set
	update(() => ({ zipPart: 0 }))
	const transport = uploadTransport((zipPart) => update(() => ({ zipPart })))
	const sent = call(headerFiles.addZip, { params, files: { file }, signal, transport })
	const { set, refused, refusedCount } = await sent.finally(() => update(() => ({ zipPart: null })))
	refuse(update, refused, refusedCount)
	return set
}

function refuse(update: Update, refused: readonly Refused[], count = refused.length): void {
	update((now) => ({
		refused: [...now.refused, ...refused].slice(0, MAX_LISTED),
		refusedCount: now.refusedCount + count,
	}))
}

/** Returns true when the server refused this file alone. */
function isRefusal(error: unknown): error is ApiError {
	return error instanceof ApiError && error.status === 400
}

function isZip({ name, type }: File): boolean {
	return /\.zip$/i.test(name) || type === 'application/zip'
}

function keyOf(name: string): string {
	return name.normalize('NFC').toLowerCase()
}
