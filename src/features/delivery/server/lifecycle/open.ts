import { uploadHeaderFile } from '#features/templates/server/header-upload.ts'
import { hasOfferEnded, mediaFilesOf } from '#features/templates/values.ts'
import { NO_CREDENTIALS } from '#features/whatsapp/problems.ts'
import { isTemporary, metaCode } from '#features/whatsapp/server/codes/codes.ts'
import { type CloudApi, GraphError } from '#features/whatsapp/server/graph-client.ts'
import { getSender, type Sender } from '#features/whatsapp/server/service.ts'
import { isProblem } from '#lib/app-error.ts'
import { transaction, type Db, type AccountId } from '#lib/server/db.ts'
import { announceLive, publish } from '#lib/server/db/channels/channels.ts'
import type { Notify } from '#lib/server/db/channels/notify.ts'
import type { Vault } from '#lib/server/secrets.ts'
import { type Storage } from '#lib/server/storage/storage.ts'
import { workChannel } from '../work-channel.ts'
import { pauseIfRepriced } from './repricing.ts'
import { stopCampaign } from './stop.ts'
import * as queries from './transition-queries.ts'

export interface OpenerDeps {
	db: Db
	vault: Vault
	cloudApi: CloudApi
	storage: Storage
	notify: Notify
}

/**
 * Opens a campaign at its time: uploads the files of its headers and sets the campaign to processing. A stopped sender, refused
 * credentials or a changed price pause it, any other permanent problem fails it and releases its money, and a temporary
 * problem is thrown, so that the job runs again. Idempotent.
 */
export async function openCampaign(
	deps: OpenerDeps,
	{ accountId, campaignId }: { accountId: AccountId; campaignId: number },
): Promise<void> {
	const { db } = deps
	const campaign = await queries.findCampaignToOpen(db, accountId, campaignId)
	if (!campaign) return
	const sender = await getSender(db, deps.vault, accountId)
	const pause = (reason: string, isWithSender: boolean) =>
		stopCampaign(deps, accountId, { campaignId, action: 'pause', reason, isWithSender })
	const fail = (reason: string) =>
		stopCampaign(deps, accountId, { campaignId, action: 'fail', reason, isWithSender: false })
	if (!sender) return fail(NO_CREDENTIALS)
	if (sender.stoppedReason) return pause(sender.stoppedReason, true)
	if (!campaign.isTemplateApproved) return fail('The template is no longer approved.')
	if (await pauseIfRepriced(deps, accountId, campaignId)) return
	if (hasOfferEnded(campaign)) return fail('The offer had ended before the campaign was sent.')
	let media: queries.UploadedMedia | null = null
	const files = mediaFilesOf(campaign)
	if (files.length > 0) {
		if (!areComplete(files)) return fail(FILE_MISSING)
		try {
			media = await uploadFiles(deps, sender, { files, hasCards: campaign.cardFiles !== null })
		} catch (error) {
			if (isProblem(error, 'file_not_found')) return fail(FILE_MISSING)
			if (!(error instanceof GraphError) || isTemporary(error)) throw error
			// An administrator can solve the problem; the campaign then continues.
			if (error.fault && metaCode(error.fault.code).scope === 'sender') return pause(CREDENTIALS_REFUSED, false)
			return fail(`The header’s file was refused: ${error.message}`)
		}
	}
	await transaction(db, async (sql) => {
		if (!(await queries.startCampaign(sql, accountId, { campaignId, media, at: campaign.readAt }))) return
		publish(sql, workChannel, accountId)
		announceLive(sql, accountId, { kind: 'campaign', id: String(campaignId) })
	})
}

function areComplete(files: readonly (string | null)[]): files is string[] {
	return files.every(Boolean)
}

/** Uploads the files of headers, each file once however many cards show it. */
async function uploadFiles(
	deps: OpenerDeps,
	sender: Sender,
	{ files, hasCards }: { files: readonly string[]; hasCards: boolean },
): Promise<queries.UploadedMedia> {
	const ids = new Map<string, string>()
	for (const file of files) if (!ids.has(file)) ids.set(file, await uploadHeaderFile(deps, sender, { key: file }))
	const all = files.map((file) => ids.get(file) ?? '')
	return { id: all[0] ?? '', cardIds: hasCards ? all : null, phoneNumberId: sender.phoneNumberId }
}

const CREDENTIALS_REFUSED =
	'WhatsApp refused the credentials when the header’s file was uploaded. Ask your administrator to check them, then resume.'

const FILE_MISSING = 'The template’s header file is missing. Create the template again.'
