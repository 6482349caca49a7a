import * as z from 'zod/mini'
import { AUDIENCE_FILE, FileColumnsText, Variables, VariablesText, FORMATS } from '#features/audiences/contract.ts'
import { Columns, Hidden } from '#features/contacts/columns.ts'
import { Pacing, SendingRules, UnderLimit } from '#features/delivery/contract.ts'
import { FileChoice, FileChoiceText, FileMatch } from '#features/header-files/match-contract.ts'
import { endpoint } from '#lib/endpoint.ts'
import { OptionalId, OptionalText, Required, Time } from '#lib/fields.ts'
import { RequestId } from '#lib/request-id.ts'
import { CampaignRow } from './contract.ts'
import { Timing } from './form-fields.ts'
import { ShownPrice } from './rules.ts'

/** A problem of a campaign; while one with `isBlocking` exists, the campaign cannot be created. */
export const Problem = z.object({
	kind: z.enum(['template', 'variables', 'audience', 'sender', 'wallet', 'schedule']),
	/** The problem and its remedy, in words. */
	message: z.string(),
	isBlocking: z.boolean(),
})
export type CampaignProblem = z.output<typeof Problem>

/** The split of recipients by market; empty while all markets cost the same. Amounts in rupees. */
export const MarketSplit = z.object({
	/** Recipients who get a message, by the name of their market and the price. The most come first. */
	markets: z.array(z.object({ market: z.string(), recipients: z.int(), price: z.number() })),
	/** Recipients who are left out since their market is blocked, or has no price while WhatsApp's rate is unknown. */
	unpriced: z.array(z.object({ market: z.string(), recipients: z.int(), reason: z.enum(['blocked', 'no_rate']) })),
	/** True when the control group may take recipients at other prices, so that the campaign may cost less. */
	isHighestCost: z.boolean(),
})
export type MarketSplit = z.output<typeof MarketSplit>

/** The reach and cost of a campaign. Amounts in rupees. */
export const CampaignEstimate = z.object({
	contacts: z.int(),
	optedOut: z.int(),
	/** People who are not opted out but have received as much marketing as the account's rule allows. */
	capped: z.int(),
	frequency: SendingRules.shape.frequency,
	/** The quiet hours. `startsAt` and `endsAt` ignore them: the screen applies them at the time when it shows the estimate. */
	quiet: SendingRules.shape.quiet,
	recipients: z.int(),
	/** Number of recipients without a value, by merge tag: of all columns of a file, or of contacts' tags that the form uses. */
	gaps: z.record(z.string(), z.int()),
	price: z.number(),
	/** Text to send back with the order. It changes with the prices in other countries. */
	abroadPrices: z.string(),
	cost: z.number(),
	...MarketSplit.shape,
	walletBalance: z.number(),
	/** Money of refunded payments, which refuses the campaign until it is settled. */
	owed: z.number(),
	/** The header file of each person; null when all get the campaign's. */
	files: z.nullable(FileMatch),
	problems: z.array(Problem),
	/** The sender's real pace; null without a sender. */
	messagesPerSecond: z.nullable(z.number()),
	durationSeconds: z.nullable(z.int()),
	startsAt: Time,
	endsAt: z.nullable(Time),
	/** `endsAt` ignores the limit. */
	...UnderLimit,
})
export type CampaignEstimate = z.output<typeof CampaignEstimate>

/** The calls before a campaign is created. */
export const campaignPreflight = {
	/** Returns reach, cost, end and problems of a form as filled in so far. */
	estimate: endpoint('POST /api/campaigns/estimate', {
		effort: 'heavy',
		access: 'manager',
		body: z.object({
			audienceType: z.enum(['all', 'group', 'segment']),
			selectedGroup: OptionalId,
			segmentId: OptionalId,
			templateId: OptionalText(200),
			variables: z._default(Variables, {}),
			headerFiles: z.optional(FileChoice),
			...Timing,
			dailyStart: Pacing.dailyStart,
		}),
		response: CampaignEstimate,
	}),
	/**
	 * Returns the estimate for an uploaded file, and its contents. `contacts` counts its valid rows, each number once.
	 * Problems of variables cover rows that lack a value, not the texts of the variables.
	 */
	audienceFile: endpoint('POST /api/campaigns/audience/file', {
		effort: 'long',
		access: 'manager',
		body: z.object({
			columns: FileColumnsText,
			templateId: OptionalText(200),
			variables: VariablesText,
			headerFiles: FileChoiceText,
			...Timing,
			dailyStart: Pacing.dailyStart,
		}),
		files: AUDIENCE_FILE,
		response: z.extend(CampaignEstimate, {
			message: z.string(),
			/** The names of the columns; without a header, the first row. */
			header: z.array(z.string()),
			columns: Columns,
			/** Number of rows and columns hidden in a workbook. They are left out unless `columns` has `withHidden`. */
			hidden: Hidden,
			/** The merge tags that the file's columns give, in the order of the columns. */
			tags: z.array(z.string()),
			/** The kind and the most suitable format of each column of numbers or dates, by tag. */
			formats: z.record(z.string(), z.object({ kind: z.enum(['number', 'date']), format: z.enum(FORMATS) })),
			/**
			 * Counts of the file's rows. `contacts` = `valid`, and `optedOut` and `capped` are among them. The numbers of `unlikely`
			 * rows do not look like mobile numbers: these rows are left out, and not `valid`, unless `columns` has `withUnlikely`.
			 */
			counts: z.object({ rows: z.int(), valid: z.int(), invalid: z.int(), duplicate: z.int(), unlikely: z.int() }),
			/** Number of valid rows whose cell has further numbers, which get no message. */
			secondNumbers: z.int(),
			/**
			 * Up to ten rows to check, of unlikely numbers before others, then the first ten of the other rows; each with its
			 * canonical number. `reason` says why a row gets no message, `doubt` why its number is unlikely, `note` which further
			 * numbers of its cell are not used.
			 */
			preview: z.array(
				z.object({
					row: z.int(),
					cells: z.array(z.string()),
					number: z.nullable(z.string()),
					reason: z.nullable(z.string()),
					doubt: z.nullable(z.string()),
					note: z.nullable(z.string()),
				}),
			),
		}),
	}),
	/** Returns the rows of a file that get no message as CSV, with two more columns: `row` and `reason`. */
	rejectedRows: endpoint('POST /api/campaigns/audience/file/rejected', {
		effort: 'long',
		access: 'manager',
		body: z.object({ columns: FileColumnsText, templateId: OptionalText(200), ...Timing }),
		files: AUDIENCE_FILE,
		response: { file: 'text/csv' },
	}),
	/** Sends the message to one number as a campaign with `isTest`, charged like any other. */
	sendTest: endpoint('POST /api/campaigns/test', {
		access: 'manager',
		body: z.object({
			templateId: Required('Please select a template'),
			variables: z._default(Variables, {}),
			number: Required('Please enter a phone number', 40),
			...ShownPrice,
			requestId: z.optional(RequestId),
		}),
		response: z.object({ message: z.string(), campaign: CampaignRow }),
	}),
}
