import { findComponent } from '#features/campaigns/rules.ts'
import { getSender, GraphError, uploadMedia, type CloudApi } from '#features/whatsapp/server/service.ts'
import { announceLive, announceWork } from '#lib/server/channels.ts'
import { transaction, type Db, type OwnerId } from '#lib/server/db.ts'
import type { Notify } from '#lib/server/notify.ts'
import type { Vault } from '#lib/server/secrets.ts'
import type { Storage } from '#lib/server/storage.ts'
import * as queries from './transition-queries.ts'
import { stopCampaign } from './transitions.ts'

export interface OpenerDeps {
	db: Db
	vault: Vault
	cloudApi: CloudApi
	storage: Storage
	notify: Notify
}

/**
 * Opens a campaign at its time: uploads the header's file, once, and lets the sender loose. Run twice it changes nothing.
 * What makes the campaign impossible fails it and gives its money back; what may pass is thrown, so that the job is retried.
 */
export async function openCampaign(
	deps: OpenerDeps,
	{ owner, campaignId }: { owner: OwnerId; campaignId: number },
): Promise<void> {
	const { db } = deps
	const campaign = await queries.findCampaignToOpen(db, owner, campaignId)
	if (!campaign) return
	const sender = await getSender(db, deps.vault, owner)
	if (!sender) {
		return failCampaign(deps, owner, {
			campaignId,
			reason: 'WhatsApp credentials are not set up. Please contact your administrator.',
		})
	}
	if (sender.stoppedReason) {
		return stopCampaign(deps, owner, { campaignId, reason: sender.stoppedReason })
	}
	if (!campaign.isTemplateApproved) {
		return failCampaign(deps, owner, { campaignId, reason: 'The template is no longer approved.' })
	}
	let mediaId: string | null = null
	if (needsMedia(campaign.components)) {
		if (!campaign.headerFile) {
			return failCampaign(deps, owner, {
				campaignId,
				reason: FILE_MISSING,
			})
		}
		try {
			mediaId = await uploadHeader(deps, { ...sender, file: campaign.headerFile })
		} catch (error) {
			if (isMissing(error)) {
				return failCampaign(deps, owner, { campaignId, reason: FILE_MISSING })
			}
			if (!(error instanceof GraphError) || error.status >= 500 || error.status === 429) throw error
			return failCampaign(deps, owner, { campaignId, reason: `The header’s file was refused: ${error.message}` })
		}
	}
	await transaction(db, async (sql) => {
		await queries.startCampaign(sql, owner, { campaignId, mediaId })
		announceWork(sql, owner)
		announceLive(sql, owner, { kind: 'campaign', id: String(campaignId) })
	})
}

function needsMedia(components: Parameters<typeof findComponent>[0]): boolean {
	const format = findComponent(components, 'HEADER')?.format ?? 'TEXT'
	return ['IMAGE', 'VIDEO', 'DOCUMENT'].includes(format.toUpperCase())
}

const FILE_MISSING = 'The file of the template’s header is missing. Create the template anew.'

function isMissing(error: unknown): boolean {
	return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}

const MIME_TYPES: Record<string, string> = {
	jpg: 'image/jpeg',
	jpeg: 'image/jpeg',
	png: 'image/png',
	mp4: 'video/mp4',
	'3gp': 'video/3gpp',
	pdf: 'application/pdf',
}

async function uploadHeader(
	deps: OpenerDeps,
	header: { phoneNumberId: string; accessToken: string; file: string },
): Promise<string> {
	const filename = header.file.split('/').at(-1) ?? 'file'
	const type = MIME_TYPES[filename.split('.').at(-1) ?? ''] ?? 'application/octet-stream'
	const content = new Blob([new Uint8Array(await deps.storage.get(header.file))], { type })
	return uploadMedia(deps.cloudApi, header.phoneNumberId, { token: header.accessToken, content, filename })
}

/** Ends a campaign that cannot run; the sweep then fails its messages and releases their money. */
async function failCampaign(
	{ db, notify }: OpenerDeps,
	owner: OwnerId,
	failure: { campaignId: number; reason: string },
): Promise<void> {
	await transaction(db, async (sql) => {
		const name = await queries.failCampaign(sql, owner, failure)
		if (name === null) return
		await notify(sql, owner, {
			text: `Campaign "${name}" could not run: ${failure.reason}`,
			link: `/campaign/${failure.campaignId}`,
		})
		announceLive(sql, owner, { kind: 'campaign', id: String(failure.campaignId) })
	})
}
