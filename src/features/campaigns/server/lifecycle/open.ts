import { needsHeaderFile } from '#features/campaigns/rules.ts'
import { notices } from '#features/notifications/server/service.ts'
import { getSender, GraphError, uploadMedia, type CloudApi } from '#features/whatsapp/server/service.ts'
import { announceLive, publish } from '#lib/server/channels.ts'
import { transaction, type Db, type OwnerId } from '#lib/server/db.ts'
import { mimeTypeOf } from '#lib/server/mime-types.ts'
import type { Notify } from '#lib/server/notify.ts'
import type { Vault } from '#lib/server/secrets.ts'
import type { Storage } from '#lib/server/storage.ts'
import { workChannel } from '../work-channel.ts'
import { isHeldBack } from './repricing.ts'
import * as queries from './transition-queries.ts'
import { autoPauseCampaign } from './transitions.ts'

export interface OpenerDeps {
	db: Db
	vault: Vault
	cloudApi: CloudApi
	storage: Storage
	notify: Notify
}

/**
 * Opens a campaign at its time: uploads the header's file, once, and sets it to processing. Idempotent.
 * What makes the campaign impossible fails it and gives its money back; what may pass is thrown, and tried again.
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
		return autoPauseCampaign(deps, owner, { campaignId, reason: sender.stoppedReason, isWithSender: true })
	}
	if (!campaign.isTemplateApproved) {
		return failCampaign(deps, owner, { campaignId, reason: 'The template is no longer approved.' })
	}
	if (await isHeldBack(deps, owner, campaignId)) return
	let media: { id: string; phoneNumberId: string } | null = null
	if (needsHeaderFile(campaign.components)) {
		if (!campaign.headerFile) {
			return failCampaign(deps, owner, { campaignId, reason: FILE_MISSING })
		}
		try {
			const id = await uploadHeader(deps, { ...sender, file: campaign.headerFile })
			media = { id, phoneNumberId: sender.phoneNumberId }
		} catch (error) {
			if (isMissing(error)) {
				return failCampaign(deps, owner, { campaignId, reason: FILE_MISSING })
			}
			if (!(error instanceof GraphError) || mayPass(error)) throw error
			if (CREDENTIALS_CODES.has(error.fault?.code ?? -1)) {
				return autoPauseCampaign(deps, owner, { campaignId, reason: CREDENTIALS_REFUSED, isWithSender: false })
			}
			return failCampaign(deps, owner, { campaignId, reason: `The header’s file was refused: ${error.message}` })
		}
	}
	await transaction(db, async (sql) => {
		if (!(await queries.startCampaign(sql, owner, { campaignId, media, at: campaign.readAt }))) return
		publish(sql, workChannel, owner)
		announceLive(sql, owner, { kind: 'campaign', id: String(campaignId) })
	})
}

/** Limits and outages of Meta's, by their codes; most come with the HTTP status 400. */
const PASSING_CODES = new Set([1, 2, 4, 17, 32, 613, 80007, 130429, 131000, 131016, 131056, 131057, 133004])
/** The access token, or what it may do: a person has to see to it, and then the campaign can go on. */
const CREDENTIALS_CODES = new Set([0, 3, 10, 33, 190, 368, 131005, 131031, 133010])
const CREDENTIALS_REFUSED =
	'WhatsApp refused the credentials when the header’s file was uploaded. Ask your administrator to check them, then resume.'

function mayPass({ status, fault }: GraphError): boolean {
	return status >= 500 || status === 429 || fault?.isTransient === true || PASSING_CODES.has(fault?.code ?? -1)
}

const FILE_MISSING = 'The template’s header file is missing. Create the template again.'

function isMissing(error: unknown): boolean {
	return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}

async function uploadHeader(
	deps: OpenerDeps,
	header: { phoneNumberId: string; accessToken: string; file: string },
): Promise<string> {
	const filename = header.file.split('/').at(-1) ?? 'file'
	const content = new Blob([new Uint8Array(await deps.storage.get(header.file))], { type: mimeTypeOf(filename) })
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
		await notify(sql, owner, notices.campaignFailed({ id: failure.campaignId, name, reason: failure.reason }))
		announceLive(sql, owner, { kind: 'campaign', id: String(failure.campaignId) })
	})
}
