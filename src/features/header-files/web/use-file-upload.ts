import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { headerFiles, type FileSet } from '#features/header-files/contract.ts'
import { MAX_ZIP_MEGABYTES, type FileKind } from '#features/header-files/rules.ts'
import { BYTES_PER_MEGABYTE, headerTooLarge, maxHeaderBytes } from '#features/templates/limits.ts'
import { ApiError, call, messageOf } from '#lib/web/api.ts'
import { uploadTransport } from '#lib/web/files/upload.ts'
import { query } from '#lib/web/query.ts'

/** Files that are uploaded at the same time. */
const PARALLEL = 3
/** Refused files that are listed by name. */
const MAX_LISTED = 100
const NOT_UPLOADED = 'The files could not be uploaded. Check your connection, then resume.'

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
	/** Called when all chosen files are done, and when the upload stops before. */
	onDone: () => void
}

type Update = (change: (now: UploadState) => Partial<UploadState>) => void

/** A chosen file, or the address from which the server fetches one. */
type Item = File | string

/** Items that wait for their upload, and the signal that pauses it. */
interface Run {
	id: string
	kind: FileKind
	queue: Item[]
	signal: AbortSignal
	update: Update
}

/**
 * Returns the upload of many files, each in a request of its own, which can be paused and continues with the files that are
 * not there yet. `add` takes chosen files, and addresses from which the server fetches files; `count` of them are new.
 */
export function useFileUpload({ kind, setId, onSet, onDone }: UploadOptions) {
	const [state, setState] = useState(IDLE)
	const queue = useRef<Item[]>([])
	const stopping = useRef(new AbortController())
	// Files of an earlier visit, whose set the draft of the form names.
	const earlier = useQuery({ ...setQuery(setId), enabled: setId !== '' && state.set === null })
	const update: Update = (change) => setState((now) => ({ ...now, ...change(now) }))
	const run = async (id: string) => {
		stopping.current = new AbortController()
		const { signal } = stopping.current
		const failed = await sendAll({ id, kind, queue: queue.current, signal, update })
		update(() => (failed ? { status: 'paused', error: signal.aborted ? null : failed.message } : { status: 'idle' }))
		if (failed) await countAgain(id, update)
		onDone()
	}
	const ensureSet = async () => setId || (await call(headerFiles.create, { body: { kind } })).set._id
	const start = async () => {
		update(() => ({ status: 'running', error: null }))
		try {
			const id = await ensureSet()
			if (!setId) onSet(id)
			const { set, names } = await call(headerFiles.get, { params: { id } })
			const known = withoutKnown(queue.current, names)
			update((now) => ({ set, done: now.done + known }))
			await run(id)
		} catch (error) {
			update(() => ({ status: 'paused', error: messageOf(error, NOT_UPLOADED) }))
		}
	}
	const add = async (items: readonly Item[], count = items.length) => {
		if (items.length === 0) return
		update((now) => further(now, count))
		queue.current.push(...items)
		await start()
	}
	const set = state.set ?? earlier.data?.set ?? null
	return { ...state, set, ensureSet, add, pause: () => stopping.current.abort(), resume: () => void start() }
}

function setQuery(id: string) {
	return query(headerFiles.get, { params: { id } })
}

/** Removes the files whose names the server has from a queue. Returns how many. */
function withoutKnown(queue: Item[], names: readonly string[]): number {
	const known = new Set(names.map(keyOf))
	const left = queue.filter((item) => typeof item === 'string' || !known.has(keyOf(item.name)))
	return queue.splice(0, queue.length, ...left).length - left.length
}

/** Reads the number of files after a stop: a part of a zip may have been taken. */
async function countAgain(id: string, update: Update): Promise<void> {
	const known = await call(headerFiles.get, { params: { id } }).catch(() => null)
	if (known) update(() => ({ set: known.set }))
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

async function sendOne({ id, kind, signal, update }: Run, file: Item): Promise<FileSet> {
	const params = { id }
	if (typeof file === 'string')
		return (await call(headerFiles.addAddress, { params, body: { address: file }, signal })).set
	refuseTooLarge(file, kind)
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

/** Throws the server's refusal of a file that is too large, before any of it is sent. */
function refuseTooLarge(file: File, kind: FileKind): void {
	const most = isZip(file) ? MAX_ZIP_MEGABYTES * BYTES_PER_MEGABYTE : maxHeaderBytes(kind)
	if (file.size <= most) return
	throw new ApiError(
		400,
		isZip(file) ? `A ZIP can have ${MAX_ZIP_MEGABYTES} MB. Please make several` : headerTooLarge(kind),
	)
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
