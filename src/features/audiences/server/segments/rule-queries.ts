import type { RuleKind, RuleOf, SegmentRules } from '#features/audiences/segment-contract.ts'
import { numberOfValue, readFieldValue } from '#features/contacts/custom-fields.ts'
import { selectContacts, type Contact } from '#features/contacts/server/contacts/queries.ts'
import { joinValues, type Field } from '#features/contacts/server/fields/field-queries.ts'
import { ownersOfMessages } from '#features/contacts/server/whatsapp-id-queries.ts'
import { THROTTLED_CODE } from '#features/delivery/rules.ts'
import type { AccountId, Sql } from '#lib/server/db.ts'
import { containing } from '#lib/server/db/search/like-pattern.ts'
import { separated, verbatim, type Statement } from '#lib/server/statement.ts'
import type { Referred } from './segment-queries.ts'

/** Data that every builder in `CONDITIONS` receives besides its rule. */
interface ConditionContext {
	sql: Sql
	accountId: AccountId
	/** The account's fields by id. */
	fields: ReadonlyMap<string, Field>
	/** Ids of campaigns in which a number may have several messages. */
	repeating: ReadonlySet<string>
	recipient: RecipientParts
}

/** The present number of a message's recipient, and the join on which it depends. */
interface RecipientParts {
	number: Statement
	join: Statement
}

/**
 * Returns the recipient of a message `m`: its number, or the present number of a person who has changed it since. Without such
 * changes in the account the number is not joined, so that the index on it can be used.
 */
const recipientOf = (sql: Sql, accountId: AccountId, hasChanges: boolean): RecipientParts => {
	if (!hasChanges) return { number: sql`m.number`, join: sql`` }
	return { number: sql`coalesce(o.number, m.number)`, join: ownersOfMessages(sql, accountId) }
}

/**
 * SQL condition of a rule. It reads the row of `contacts` (`c`), the row of `contact_values` (`v`), or the messages to
 * the contact's number.
 */
export interface Condition {
	of: 'contact' | 'values' | 'messages'
	text: Statement
	/** True when the condition on values also matches contacts without a row of values. */
	ofNone: boolean
	/** For a negated condition on messages: the condition that it negates. */
	without?: Condition
}

type Conditions = { [K in RuleKind]: (context: ConditionContext, rule: RuleOf<K>) => Condition }

/** Returns the condition, or its opposite when `is` is false. */
const condition = (
	{ of, text, otherwise }: Pick<Condition, 'of' | 'text'> & { otherwise: Statement },
	is: boolean,
): Condition => {
	const positive: Condition = { of, text, ofNone: false }
	if (is) return positive
	return { of, text: otherwise, ofNone: of === 'values', ...(of === 'messages' && { without: positive }) }
}

const ofValues = (sql: Sql, text: Statement, is: boolean) =>
	condition({ of: 'values', text, otherwise: sql`(${text}) is not true` }, is)

const ofContact = (sql: Sql, text: Statement, is: boolean) =>
	condition({ of: 'contact', text: sql`(${text})`, otherwise: sql`(${text}) is not true` }, is)

const WAS_SENT = verbatim(`m.status not in ('pending', 'failed')`)

const CONDITIONS: Conditions = {
	tag: ({ sql }, { is, tag }) => ofValues(sql, sql`v.tags @> array[${tag}::bigint]`, is),
	field: ({ sql, fields }, { field, ...compared }) => {
		const known = fields.get(field)
		if (!known) throw new Error(`a rule names the field ${field}, which readRules refuses`)
		return fieldCondition(sql, { field: known, ...compared })
	},
	group: ({ sql }, { is, group }) => ofContact(sql, sql`c.group_id = ${group}::bigint`, is),
	added: ({ sql }, { is, days }) => ofContact(sql, sql`c.created_at >= ${daysAgo(sql, days)}`, is),
	country: ({ sql }, { is, code }) => ofContact(sql, sql`starts_with(c.number, ${code})`, is),
	optedOut: ({ sql }, { is }) => ofContact(sql, sql`c.opted_out_at is not null`, is),
	neverWritten: ({ sql, accountId, recipient: { number, join } }, { is }) => {
		const written = sql`
			select ${number} as number from campaign_messages m ${join} where m.account_id = ${accountId} and ${WAS_SENT}
		`
		return numberIn(sql, written, !is)
	},
	received: (context, rule) => withStatus(context, { rule, isMet: context.sql`m.status in ('delivered', 'read')` }),
	read: (context, rule) => withStatus(context, { rule, isMet: context.sql`m.status = 'read'` }),
	throttled: (context, rule) => withStatus(context, { rule, isMet: isThrottled(context) }),
	replied(context, rule) {
		const { sql } = context
		return numberIn(sql, numbersOf(context, { rule, table: sql`campaign_replies`, at: sql`e.replied_at` }), rule.is)
	},
	clicked: (context, rule) => numberIn(context.sql, clickedNumbers(context, rule), rule.is),
	didNotClick(context, { campaign }) {
		const { sql, accountId, repeating, recipient } = context
		// When no number has two messages, clicks are joined by message, which reads the messages once; else by number.
		const clicked = repeating.has(campaign)
			? sql`(${clickedNumbers(context, { campaign })}) k where k.number = ${recipient.number}`
			: sql`campaign_clicks k where k.account_id = ${accountId} and k.campaign_id = m.campaign_id and k.seq = m.seq`
		const numbers = sql`
			select ${recipient.number} as number from campaign_messages m ${recipient.join}
			where m.account_id = ${accountId} and m.campaign_id = ${campaign}::bigint and ${WAS_SENT}
				and not exists (select from ${clicked})
		`
		return numberIn(sql, numbers, true)
	},
}

const daysAgo = (sql: Sql, days: number) => sql`now() - make_interval(days => ${days}::int)`

const numberIn = (sql: Sql, numbers: Statement, is: boolean) => {
	const text = sql`exists (select from (${numbers}) n where n.number = c.number)`
	return condition({ of: 'messages', text, otherwise: sql`not ${text}` }, is)
}

type EventRule = Partial<Pick<RuleOf<'replied' | 'clicked'>, 'campaign' | 'days'>>

/** Selects the numbers with an event (reply or click) in `table`, which has a row for each event. */
const numbersOf = (
	{ sql, accountId, recipient: { number, join } }: ConditionContext,
	{ rule: { campaign, days }, table, at }: { rule: EventRule; table: Statement; at: Statement },
): Statement => sql`
	select ${number} as number from ${table} e
	join campaign_messages m on m.account_id = ${accountId} and m.campaign_id = e.campaign_id and m.seq = e.seq
	${join}
	where e.account_id = ${accountId} and ${at} is not null
		${campaign === undefined ? sql`` : sql`and e.campaign_id = ${campaign}::bigint and m.campaign_id = ${campaign}::bigint`}
		${days === undefined ? sql`` : sql`and ${at} >= ${daysAgo(sql, days)}`}
`

const clickedNumbers = (context: ConditionContext, rule: EventRule) =>
	numbersOf(context, { rule, table: context.sql`campaign_clicks`, at: context.sql`e.clicked_at` })

/**
 * Returns the condition that a message to the contact meets `isMet`. With `days` and no campaign, it reads only campaigns
 * whose counts changed within those days, because every status update of a message changes the counts.
 */
const withStatus = (
	{ sql, accountId, recipient }: ConditionContext,
	{ rule: { is, campaign, days }, isMet }: { rule: RuleOf<'received' | 'read' | 'throttled'>; isMet: Statement },
): Condition => {
	const since = days === undefined ? null : daysAgo(sql, days)
	const ofCampaigns = campaign
		? sql`and m.campaign_id = ${campaign}::bigint`
		: since &&
			sql`and m.campaign_id = any(array(select k.id from campaigns k where k.account_id = ${accountId} and k.updated_at >= ${since}))`
	const numbers = sql`
		select ${recipient.number} as number from campaign_messages m ${recipient.join}
		where m.account_id = ${accountId} and ${isMet} ${ofCampaigns ?? sql``}
			${since ? sql`and m.status_at >= ${since}` : sql``}
	`
	return numberIn(sql, numbers, is)
}

/** Selects throttled messages. The counted failures name the few campaigns to read. */
const isThrottled = ({ sql, accountId }: ConditionContext) => sql`
	m.status = 'failed' and m.error_code = ${THROTTLED_CODE} and m.campaign_id = any(array(
		select f.campaign_id from campaign_failures f where f.account_id = ${accountId} and f.error_code = ${THROTTLED_CODE}
	))
`

const fieldCondition = (
	sql: Sql,
	{
		field: { type, slot },
		operator,
		value,
		isStrict = false,
	}: Omit<RuleOf<'field'>, 'kind' | 'field'> & { field: Field },
): Condition => {
	const stored = type === 'text' ? sql`v.texts[${slot}::int]` : sql`v.numbers[${slot}::int]`
	if (operator === 'filled' || operator === 'empty')
		return ofValues(sql, sql`${stored} is not null`, operator === 'filled')
	const is = operator !== 'isNot'
	if (type === 'text') {
		const text = sql`lower(${stored})`
		return operator === 'contains'
			? ofValues(sql, sql`${text} like lower(${containing(value.trim())})`, true)
			: ofValues(sql, sql`${text} = lower(${value.trim()})`, is)
	}
	const read = readFieldValue(type, value)
	const number = read === null ? null : numberOfValue(type, read)
	const [above, below] = isStrict ? [sql`>`, sql`<`] : [sql`>=`, sql`<=`]
	const compared = operator === 'atLeast' ? above : operator === 'atMost' ? below : sql`=`
	return ofValues(sql, sql`${stored} ${compared} ${number}::double precision`, is)
}

/** Rules as SQL conditions. `segmentParts` returns the `where` and `join` for contacts aliased `c`. */
export interface Segment {
	match: 'all' | 'any'
	conditions: Condition[]
}

export const segmentOf = (
	sql: Sql,
	accountId: AccountId,
	{
		match,
		rules,
		fields,
		referred,
		hasChanges,
	}: SegmentRules & {
		fields: readonly Field[]
		referred: readonly Referred[]
		/** True when people of the account have changed their numbers. */
		hasChanges: boolean
	},
): Segment => {
	const context: ConditionContext = {
		sql,
		accountId,
		fields: new Map(fields.map((field) => [String(field.id), field])),
		repeating: new Set(referred.filter((one) => one.isRepeating).map(({ id }) => id)),
		recipient: recipientOf(sql, accountId, hasChanges),
	}
	const conditions = rules.map(<K extends RuleKind>(rule: RuleOf<K>) => {
		const make = CONDITIONS[rule.kind as K] as (context: ConditionContext, rule: RuleOf<K>) => Condition
		return make(context, rule)
	})
	return { match, conditions }
}

/** Returns true when only contacts with a row of values can match. */
const needsRow = ({ of, ofNone }: Condition) => of === 'values' && !ofNone

/**
 * Returns the condition on contacts `c`, which is true without a segment, and the join of their values `v`. A statement
 * that has joined the values already leaves `join` out.
 */
export const segmentParts = (
	sql: Sql,
	accountId: AccountId,
	segment: Segment | null,
): { where: Statement; asksValues: boolean; join: Statement } => {
	const { match, conditions } = segment ?? { match: 'all', conditions: [] }
	const or = match === 'any'
	const texts = conditions.map(({ text }) => text)
	const asksValues = conditions.some((one) => one.of === 'values')
	// With an inner join the values are filtered before they are joined; the planner infers that for few conditions
	// only.
	const isNeeded = or ? conditions.every(needsRow) : conditions.some(needsRow)
	return {
		where: texts.length === 0 ? sql`true` : sql`(${separated(texts, or ? ' or ' : ' and ')})`,
		asksValues,
		join: asksValues ? joinValues(sql, accountId, { isNeeded }) : sql``,
	}
}

/** Lists the segment's contacts, the latest added first. */
export async function listLatest(
	sql: Sql,
	accountId: AccountId,
	{ segment, limit }: { segment: Segment; limit: number },
): Promise<Contact[]> {
	const { join, where } = segmentParts(sql, accountId, segment)
	return sql<Contact[]>`
		with latest as materialized (
			select c.id from contacts c ${join}
			where c.account_id = ${accountId} and ${where}
			order by c.id desc
			limit ${limit}
		)
		${selectContacts(sql, accountId)}
		where c.account_id = ${accountId} and c.id = any(array(select id from latest))
		order by c.id desc
	`
}
