import { problem } from '#features/audiences/problems.ts'
import { MAX_SEGMENTS, type Rule, type SegmentRules } from '#features/audiences/segment-contract.ts'
import { recordWork } from '#features/auth/server/service.ts'
import { readFieldValue } from '#features/contacts/custom-fields.ts'
import { cleanName } from '#features/contacts/rules.ts'
import { listFields, type Field } from '#features/contacts/server/fields/field-queries.ts'
import { hasFormerIds } from '#features/contacts/server/whatsapp-id-queries.ts'
import { plural } from '#lib/numbers.ts'
import { isCallingCode } from '#lib/phone/phone-plan.ts'
import { notFound, tooMany } from '#lib/problems.ts'
import type { AccountId, Sql } from '#lib/server/db.ts'
import { violates } from '#lib/server/db/constraint-violations.ts'
import { segmentOf, type Segment } from './rule-queries.ts'
import * as queries from './segment-queries.ts'
import type { SavedSegment } from './segment-queries.ts'

type NewSegment = Pick<SavedSegment, 'name' | 'match' | 'rules'>

/** The id of the person who saves or deletes a segment, for the activity of the account. */
interface Author {
	by?: number | undefined
}

export async function createSegment(
	sql: Sql,
	accountId: AccountId,
	{ by, ...segment }: NewSegment & Author,
): Promise<SavedSegment> {
	await readRules(sql, accountId, segment)
	if ((await queries.listSegments(sql, accountId)).length >= MAX_SEGMENTS)
		throw tooMany(plural(MAX_SEGMENTS, 'segment'))
	const name = cleanName(segment.name)
	const created = await queries.insertSegment(sql, accountId, { ...segment, name }).catch(refuseTakenName)
	if (!created) throw new Error('the new segment did not come back')
	if (by !== undefined) await recordWork(sql, accountId, { by, action: 'segment-created', details: name })
	return created
}

export async function changeSegment(
	sql: Sql,
	accountId: AccountId,
	{ by, ...segment }: NewSegment & Author & { id: string },
): Promise<SavedSegment> {
	await getSegment(sql, accountId, segment.id)
	await readRules(sql, accountId, segment)
	const name = cleanName(segment.name)
	const changed = await queries.updateSegment(sql, accountId, { ...segment, name }).catch(refuseTakenName)
	if (!changed) throw notFound('Segment')
	if (by !== undefined) await recordWork(sql, accountId, { by, action: 'segment-changed', details: name })
	return changed
}

function refuseTakenName(error: unknown): never {
	if (!violates(error, 'segments_name')) throw error
	throw problem('segment_taken')
}

export async function removeSegment(
	sql: Sql,
	accountId: AccountId,
	{ id, by }: Author & { id: string },
): Promise<void> {
	const name = await queries.deleteSegment(sql, accountId, id)
	if (name === undefined) throw notFound('Segment')
	if (by !== undefined) await recordWork(sql, accountId, { by, action: 'segment-deleted', details: name })
}

export async function getSegment(sql: Sql, accountId: AccountId, id: string): Promise<SavedSegment> {
	const segment = await queries.findSegment(sql, accountId, id)
	if (!segment) throw notFound('Segment')
	return segment
}

/**
 * Converts rules to SQL conditions. Throws a 400 when a rule does not suit its field, or refers to a deleted field, tag
 * or group, or to a campaign without recipients: ignoring it could choose every contact, or none. With `isLocked`, the
 * fields, tags and groups cannot be deleted before the transaction ends.
 */
export async function readRules(
	sql: Sql,
	accountId: AccountId,
	{ match, rules, isLocked = false }: SegmentRules & { isLocked?: boolean },
): Promise<Segment> {
	const referred = {
		groups: rules.flatMap((rule) => (rule.kind === 'group' ? [rule.group] : [])),
		tags: rules.flatMap((rule) => (rule.kind === 'tag' ? [rule.tag] : [])),
		campaigns: rules.flatMap((rule) => ('campaign' in rule && rule.campaign ? [rule.campaign] : [])),
	}
	const fields = await listFields(sql, accountId, { isLocked })
	if (isLocked) await queries.lockReferred(sql, accountId, referred)
	const found = await queries.listReferred(sql, accountId, referred)
	const known = new Set(found.map(({ kind, id }) => `${kind}:${id}`))
	const removed = new Set(found.flatMap(({ id, isRemoved }) => (isRemoved ? [id] : [])))
	for (const [at, rule] of rules.entries()) {
		const reason = problemOf(rule, { fields, known, removed })
		if (reason) throw problem('segment_rule_invalid', { place: at + 1, reason })
	}
	const hasChanges = await hasFormerIds(sql, accountId)
	return segmentOf(sql, accountId, { match, rules, fields, referred: found, hasChanges })
}

interface Known {
	fields: readonly Field[]
	known: ReadonlySet<string>
	/** Ids of campaigns whose recipients were removed after the retention. */
	removed: ReadonlySet<string>
}

function problemOf(rule: Rule, { fields, known, removed }: Known) {
	if (rule.kind === 'tag' && !known.has(`tag:${rule.tag}`)) return 'this tag was deleted'
	if (rule.kind === 'group' && !known.has(`group:${rule.group}`)) return 'this group was deleted'
	if ('campaign' in rule && rule.campaign && !known.has(`campaign:${rule.campaign}`)) return 'there is no such campaign'
	if ('campaign' in rule && rule.campaign && removed.has(rule.campaign))
		return 'the recipients of this campaign are not kept any longer. Choose a later campaign'
	if (rule.kind === 'country' && !isCallingCode(rule.code)) return `no country has the calling code ${rule.code}`
	if (rule.kind !== 'field') return null
	const field = fields.find(({ id }) => String(id) === rule.field)
	if (!field) return 'this field was deleted'
	if (rule.operator === 'filled' || rule.operator === 'empty') return null
	const isTextual = field.type === 'text'
	if (isTextual && (rule.operator === 'atLeast' || rule.operator === 'atMost')) return UNFIT
	if (!isTextual && rule.operator === 'contains') return UNFIT
	return readFieldValue(field.type, rule.value) === null
		? `${field.name} cannot be compared with "${rule.value}"`
		: null
}

const UNFIT = 'this field cannot be compared so'
