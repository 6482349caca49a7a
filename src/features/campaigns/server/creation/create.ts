import {
	CONTACT_TAGS,
	mergeTags,
	parseValue,
	slotsOf,
	unsendablePart,
	valueError,
	type Variables,
} from '#features/campaigns/rules.ts'
import { getGroup } from '#features/contacts/server/service.ts'
import { getPrices } from '#features/pricing/server/service.ts'
import { getTemplate, needsHeaderFile, type Template } from '#features/templates/server/service.ts'
import { announceLive, announceWork } from '#lib/server/channels.ts'
import { transaction, type Db, type OwnerId } from '#lib/server/db.ts'
import { AppError } from '#lib/server/errors.ts'
import { priceOf } from '../price.ts'
import * as queries from './audience-queries.ts'
import { audienceOf, writeCampaign } from './write-campaign.ts'

/** A campaign as its form was filled in. */
export interface CampaignForm {
	name: string
	description?: string | undefined
	templateId: string
	variables: Variables
	audienceType: 'all' | 'group' | 'file'
	selectedGroup?: string | undefined
	schedule: 'now' | 'later'
	scheduleDatetime?: string | undefined
	timezone: string
	requestId?: string | undefined
}

/**
 * Creates a campaign: freezes template, price and variables, writes one message per recipient, holds their whole price
 * and sets the time it opens, all in one transaction. Too little money is a 402 that leaves nothing behind.
 * Repeating a request returns the campaign that the first one created.
 */
export async function createCampaign({ db }: { db: Db }, owner: OwnerId, form: CampaignForm): Promise<number> {
	const { groupId, audienceName } = await readAudience(db, owner, form)
	const opensAt = readOpening(form)
	const template = await getUsableTemplate(db, owner, form.templateId)
	const variables = readVariables(template, form.variables)
	const pricePaise = priceOf(template, await getPrices(db, owner))
	await checkMergeValues(db, owner, { audience: audienceOf({ groupId, template }), variables })
	const { name, description, audienceType, requestId = null } = form
	const facts = { name, description, audienceType, audienceName, groupId, requestId }

	return transaction(db, async (sql) => {
		const { id, isNew } = await writeCampaign(sql, owner, { ...facts, template, variables, pricePaise, opensAt })
		if (isNew) {
			announceWork(sql, owner)
			announceLive(sql, owner, { kind: 'wallet' })
			announceLive(sql, owner, { kind: 'campaign', id: String(id) })
		}
		return id
	})
}

async function readAudience(
	db: Db,
	owner: OwnerId,
	form: CampaignForm,
): Promise<{ groupId: string | null; audienceName: string }> {
	if (form.audienceType === 'file') throw new AppError(400, 'Please upload a contact file')
	if (form.audienceType === 'all') return { groupId: null, audienceName: 'All contacts' }
	if (!form.selectedGroup) throw new AppError(400, 'Please select a group')
	const group = await getGroup(db, owner, form.selectedGroup)
	return { groupId: String(group.id), audienceName: group.name }
}

/** The moment the campaign opens: the chosen wall-clock time in its time zone; null is at once. */
function readOpening(form: CampaignForm): Date | null {
	if (form.schedule === 'now') return null
	if (!form.scheduleDatetime) throw new AppError(400, 'Please select schedule date and time')
	try {
		const local = Temporal.PlainDateTime.from(form.scheduleDatetime)
		const opensAt = new Date(local.toZonedDateTime(form.timezone).epochMilliseconds)
		if (opensAt.getTime() < Date.now() - 60_000) throw new AppError(400, 'The scheduled time has already passed')
		return opensAt
	} catch (error) {
		if (error instanceof AppError) throw error
		throw new AppError(400, 'Please select schedule date and time')
	}
}

async function getUsableTemplate(db: Db, owner: OwnerId, templateId: string): Promise<Template> {
	const template = await getTemplate(db, owner, templateId)
	const { name, status, goneAt, components } = template
	if (goneAt !== null) throw new AppError(400, `The template "${name}" no longer exists at WhatsApp`)
	if (status !== 'APPROVED') throw new AppError(400, `The template "${name}" is not approved`)
	const part = unsendablePart(components)
	if (part !== null) throw new AppError(400, `The template "${name}" has ${part}, which campaigns cannot send`)
	if (needsHeaderFile(template)) {
		throw new AppError(
			400,
			`The file of the header of the template "${name}" is not here. Upload it under Manage Templates, and then create the campaign.`,
		)
	}
	return template
}

/** Exactly the template's variables, each with a value that Meta takes and tags that every contact has. */
function readVariables(template: Template, given: Variables): Variables {
	const variables: Variables = {}
	for (const { key } of slotsOf(template.components)) {
		const value = (given[key] ?? '').trim()
		const error = valueError(value)
		if (error) throw new AppError(400, `The value for ${key} ${error}`)
		for (const tag of mergeTags({ [key]: value })) {
			if (!(CONTACT_TAGS as readonly string[]).includes(tag)) {
				throw new AppError(
					400,
					`{{${tag}}} is not known. Use ${CONTACT_TAGS.map((known) => `{{${known}}}`).join(', ')}`,
				)
			}
		}
		variables[key] = value
	}
	return variables
}

/** Refuses merge tags for which some recipient has nothing to fill in, or something that Meta refuses. */
async function checkMergeValues(
	db: Db,
	owner: OwnerId,
	{ audience, variables }: { audience: queries.Audience; variables: Variables },
): Promise<void> {
	const pieces = Object.values(variables).flatMap(parseValue)
	for (const tag of mergeTags(variables)) {
		const { empty, refused } = await queries.countUnfit(db, owner, { audience, tag })
		const needsValue = pieces.some((piece) => 'tag' in piece && piece.tag === tag && piece.fallback === null)
		if (empty > 0 && needsValue) {
			throw new AppError(400, `${empty} recipients have no ${tag}. Give a fallback, such as {{${tag}|friend}}`)
		}
		if (refused > 0) {
			throw new AppError(
				400,
				`${refused} recipients have a ${tag} with a line break, a tab or more than four spaces in a row`,
			)
		}
	}
}
