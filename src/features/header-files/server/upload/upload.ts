import { setTimeout as sleep } from 'node:timers/promises'
import { OWN_ERRORS } from '#features/delivery/rules.ts'
import { stopCampaign } from '#features/delivery/server/lifecycle/stop.ts'
import { failure } from '#features/delivery/server/message/status-update.ts'
import { updateMergeValues } from '#features/delivery/server/orders/new-message-queries.ts'
import { lockOrder } from '#features/delivery/server/orders/order-queries.ts'
import { announceWork } from '#features/delivery/server/service.ts'
import { settle } from '#features/delivery/server/settlement/settle.ts'
import { uploadHeaderFile } from '#features/templates/server/header-upload.ts'
import { isTemporary, metaCode } from '#features/whatsapp/server/codes/codes.ts'
import { GraphError, type CloudApi } from '#features/whatsapp/server/graph-client.ts'
import { getSender, type Sender } from '#features/whatsapp/server/service.ts'
import { isProblem } from '#lib/app-error.ts'
import { transaction, type AccountId, type Db, type Sql } from '#lib/server/db.ts'
import { scanAllAccounts } from '#lib/server/db/all-accounts.ts'
import type { Notify } from '#lib/server/db/channels/notify.ts'
import { getNow } from '#lib/server/db/now.ts'
import { addJobs, handlerOf, jobKind, listJobs, type JobHandler, type RunningJob } from '#lib/server/jobs/jobs.ts'
import type { Vault } from '#lib/server/secrets.ts'
import type { Storage } from '#lib/server/storage/storage.ts'
import * as queries from './upload-queries.ts'
import type { FileCampaign, FileMessage } from './upload-queries.ts'

export interface UploadDeps {
	db: Db
	vault: Vault
	cloudApi: CloudApi
	storage: Storage
	notify: Notify
}

/**
 * Uploads the files of one account's campaigns. One job per account, because Meta limits the uploads of a number; a job that
 * failed for the last time, or has used its turn, is added again by `queueUploads`.
 */
const uploadJob = jobKind<{ accountId: AccountId }>('upload-header-files', { total: 8, each: 1, maxDelaySeconds: 60 })

/** Milliseconds that each upload takes at least: 20 a second for a number. Meta allows 25. */
const UPLOAD_MS = 50
/** Messages whose files are uploaded and written together. If all of them fail, the campaign is paused. */
const CHUNK_MESSAGES = 20
/** Bytes of files that are in memory at a time. */
const CHUNK_BYTES = 64 * 1024 * 1024
/** Milliseconds after which a job ends, so that other accounts get their turn. */
const TURN_MS = 60_000

/** Adds a job for each account with files to upload that has none. Returns how many. */
export async function queueUploads(db: Db): Promise<number> {
	const except = (await listJobs(db, uploadJob)).map(({ accountId }) => accountId)
	const due = await scanAllAccounts(db, (only) => queries.listDueAllAccounts(db, { except, only }))
	await addJobs(db, uploadJob, due)
	return due.length
}

/** Returns the handlers that upload header files. */
export const uploadHandlers = (deps: UploadDeps): JobHandler<object>[] => [
	handlerOf(uploadJob, (job) => uploadInTurn(deps, job)),
]

async function uploadInTurn(deps: UploadDeps, job: RunningJob<{ accountId: AccountId }>): Promise<void> {
	const until = performance.now() + TURN_MS
	while (!job.signal.aborted && performance.now() < until && (await job.isMine()))
		if (!(await uploadNext(deps, job.data.accountId))) return
}

/**
 * Uploads the files of the next messages and lets the messages be claimed, in one transaction with the failures of those
 * whose file was refused. Returns false when nothing is left to do, or the campaign changed meanwhile. Throws for a
 * temporary refusal; the uploads before it are recorded.
 */
export async function uploadNext(deps: UploadDeps, accountId: AccountId): Promise<boolean> {
	const campaign = await queries.findDue(deps.db, accountId)
	const sender = campaign && (await getSender(deps.db, deps.vault, accountId))
	if (!sender || sender.stoppedReason) return false
	const { phoneNumberId } = sender
	// Only the number for which a file was uploaded can send it.
	const from = campaign.phoneNumberId === phoneNumberId ? campaign : { ...campaign, through: 0 }
	const messages = await queries.listNext(deps.db, accountId, { campaign: from, phoneNumberId, limit: CHUNK_MESSAGES })
	const uploads = await uploadAll(deps, accountId, { sender, messages })
	if (uploads === 'refused') {
		await pause(deps, accountId, { campaign, reason: CREDENTIALS_REFUSED })
		return true
	}
	const { media, untilMs } = uploads
	const failed = messages.filter(({ key }) => key === null || media.get(key) === undefined)
	const isWritten = await transaction(deps.db, (sql) =>
		write(sql, accountId, { campaign, messages, media, failed, phoneNumberId, notify: deps.notify }),
	)
	if (isWritten && failed.length === CHUNK_MESSAGES) await pause(deps, accountId, { campaign, reason: ALL_FAILED })
	await sleepUntil(untilMs)
	return isWritten
}

const CREDENTIALS_REFUSED =
	'WhatsApp refused the credentials when files were uploaded. Ask your administrator to check them, then resume.'
const ALL_FAILED = `The files of ${CHUNK_MESSAGES} people in a row could not be uploaded. Check the files, then resume for the others.`

function pause(
	deps: UploadDeps,
	accountId: AccountId,
	{ campaign, reason }: { campaign: FileCampaign; reason: string },
): Promise<void> {
	return stopCampaign(deps, accountId, { campaignId: campaign.id, action: 'pause', reason, isWithSender: false })
}

/** Meta's ids of contents by storage key. A content that Meta refuses is missing. */
type Media = Map<string, string>

/**
 * Uploads the contents of messages that Meta does not have, each once. Returns `refused` when Meta refuses the credentials.
 * The next uploads may begin at `untilMs` of `performance.now`.
 */
async function uploadAll(
	deps: UploadDeps,
	accountId: AccountId,
	{ sender, messages }: { sender: Sender; messages: readonly FileMessage[] },
): Promise<{ media: Media; untilMs: number } | 'refused'> {
	const media: Media = new Map()
	const waiting = new Map<string, FileMessage>()
	for (const message of messages) {
		if (message.key === null) continue
		if (message.mediaId !== null) media.set(message.key, message.mediaId)
		else waiting.set(message.key, message)
	}
	let untilMs = 0
	for (const group of inGroups([...waiting.values()])) {
		await sleepUntil(untilMs)
		untilMs = performance.now() + group.length * UPLOAD_MS
		const results = await Promise.allSettled(group.map((message) => uploadOne(deps, accountId, { sender, message })))
		for (const [index, result] of results.entries()) {
			if (result.status === 'rejected') throw result.reason
			if (result.value === 'refused') return 'refused'
			const { mediaId } = result.value
			if (mediaId !== null) media.set(group[index]?.key ?? '', mediaId)
		}
	}
	return { media, untilMs }
}

/** Waits until this time of `performance.now`. */
async function sleepUntil(ms: number): Promise<void> {
	await sleep(Math.max(0, ms - performance.now()))
}

/** Yields messages in groups whose files together have at most CHUNK_BYTES, or one message. */
function* inGroups(messages: readonly FileMessage[]): Generator<FileMessage[]> {
	let group: FileMessage[] = []
	let bytes = 0
	for (const message of messages) {
		if (group.length > 0 && bytes + (message.bytes ?? 0) > CHUNK_BYTES) {
			yield group
			group = []
			bytes = 0
		}
		group.push(message)
		bytes += message.bytes ?? 0
	}
	if (group.length > 0) yield group
}

/** Uploads one content. Returns Meta's id, null for a file that Meta refuses, or `refused` for the credentials. */
async function uploadOne(
	deps: UploadDeps,
	accountId: AccountId,
	{ sender, message }: { sender: Sender; message: FileMessage },
): Promise<{ mediaId: string | null } | 'refused'> {
	const { key, name } = message
	if (key === null || name === null) return { mediaId: null }
	try {
		const mediaId = await uploadHeaderFile(deps, sender, { key, name })
		await queries.insertMedia(deps.db, accountId, { phoneNumberId: sender.phoneNumberId, key, mediaId })
		return { mediaId }
	} catch (error) {
		if (isProblem(error, 'file_not_found')) return { mediaId: null }
		if (!(error instanceof GraphError) || isTemporary(error)) throw error
		return error.fault && metaCode(error.fault.code).scope === 'sender' ? 'refused' : { mediaId: null }
	}
}

interface Written {
	campaign: FileCampaign
	messages: readonly FileMessage[]
	media: Media
	failed: readonly FileMessage[]
	phoneNumberId: string
	notify: Notify
}

/**
 * Writes Meta's ids into the messages, fails those without a file and moves the campaign's mark, in the caller's transaction.
 * Returns false when the campaign has changed since it was read, or a file was retired. Locks the campaign, the uploaded
 * files, then the messages.
 */
async function write(
	sql: Sql,
	accountId: AccountId,
	{ campaign, messages, media, failed, phoneNumberId, notify }: Written,
): Promise<boolean> {
	const campaignId = String(campaign.id)
	const locked = await lockOrder(sql, accountId, campaignId)
	const state = await queries.findState(sql, accountId, campaign.id)
	const isSame =
		locked?.mergeTags.join() === campaign.mergeTags.join() &&
		state?.through === campaign.through &&
		state.phoneNumberId === campaign.phoneNumberId &&
		// A campaign that is being sent takes no files of another number. It is opened again for the new number first.
		(state.sendingNumberId ?? phoneNumberId) === phoneNumberId
	if (!locked || !isSame || !['pending', 'processing'].includes(locked.status)) return false
	if (!(await queries.lockMedia(sql, accountId, { phoneNumberId, media }))) return false
	const uploaded = messages.flatMap(({ seq, fileId, key, name }) => {
		const mediaId = key === null ? undefined : media.get(key)
		return mediaId === undefined ? [] : [{ seq, value: `${fileId} ${mediaId} ${name}` }]
	})
	const isLast = messages.length < CHUNK_MESSAGES
	const through = isLast ? campaign.total : (messages.at(-1)?.seq ?? campaign.total)
	await updateMergeValues(sql, accountId, {
		campaignId,
		mergeTags: campaign.mergeTags,
		rows: queries.uploadedRows(sql, accountId, { campaign, uploaded }),
		files: { through, phoneNumberId },
	})
	if (failed.length > 0) {
		const at = await getNow(sql)
		const { code, text } = OWN_ERRORS.notUploaded
		const updates = failed.map(({ seq }) => ({ campaignId: campaign.id, seq, ...failure(code, text, at) }))
		await settle(sql, accountId, { updates, notify })
	}
	announceWork(sql, accountId)
	return true
}
