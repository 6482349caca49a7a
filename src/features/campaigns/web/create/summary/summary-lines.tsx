import type { CampaignEstimate } from '#features/campaigns/preflight-contract.ts'
import { formatDateTime } from '#lib/dates.ts'
import { durationText, paceText } from '#lib/durations.ts'
import { formatRupees } from '#lib/money.ts'
import { formatCount } from '#lib/numbers.ts'
import { MissingPart } from '#lib/web/ui/feedback/load-error.tsx'
import { Money } from '#lib/web/ui/value/money.tsx'
import { UserText } from '#lib/web/ui/value/user-text.tsx'
import { opensAt, type CampaignFields } from '../fields/campaign-fields.ts'
import type { FileAnalysis } from '../file/use-audience-file.ts'
import { shortageOf } from '../problems.ts'
import { timesOf, type useEstimate } from '../use-estimate.ts'
import styles from '../create-campaign.module.css'

export interface SummaryFacts {
	fields: CampaignFields
	/** Names of what was chosen, where something was. */
	chosen: { template: string | undefined; audience: string | undefined }
	/** Undefined until known. */
	estimate: CampaignEstimate | undefined
	/** For a campaign to a file, what is in it. */
	counts: FileAnalysis['counts'] | undefined
	/** The one that the estimate comes from. */
	reading: ReturnType<typeof useEstimate>
}

/** The summary: audience, time and cost. */
export function SummaryLines({ fields, chosen, estimate, counts, reading }: SummaryFacts) {
	const at = opensAt(fields)
	const when = fields.schedule === 'now' ? 'Now' : at ? `${formatDateTime(at)} IST` : 'Not chosen yet'
	// A file that is not chosen yet has nothing to count; all else is on its way.
	const unknown = fields.audienceType === 'file' || reading.isError ? '-' : '…'
	return (
		<>
			<MissingPart message="Recipients and cost could not be counted." readings={[reading]} />
			<dl className={`facts ${styles.summary}`} data-ruled>
				<Line name="Audience" value={<UserText text={chosen.audience ?? 'Not chosen yet'} />} />
				{counts && counts.invalid > 0 && <Line name="Excluded (invalid rows)" value={formatCount(counts.invalid)} />}
				{counts && counts.duplicate > 0 && <Line name="Excluded (duplicates)" value={formatCount(counts.duplicate)} />}
				{estimate && estimate.optedOut > 0 && (
					<Line name="Excluded (opted out)" value={formatCount(estimate.optedOut)} />
				)}
				<Line name="Recipients" value={estimate ? formatCount(estimate.recipients) : unknown} />
				<Line name="Template" value={chosen.template ?? 'Not chosen yet'} />
				<Line name="When" value={when} />
				{estimate && estimate.recipients > 0 && <Duration fields={fields} estimate={estimate} />}
				<Line name="Estimated cost" value={estimate && chosen.template ? <Cost estimate={estimate} /> : '-'} strong />
				<Line name="Wallet balance" value={estimate ? <Money rupees={estimate.walletBalance} /> : unknown} />
				<Line
					name="Balance after"
					value={estimate ? <Money rupees={estimate.walletBalance - estimate.cost} /> : unknown}
					isBad={shortageOf(estimate) !== null}
				/>
			</dl>
		</>
	)
}

function Duration({ fields, estimate }: { fields: CampaignFields; estimate: CampaignEstimate }) {
	const { durationSeconds, messagesPerSecond } = estimate
	if (durationSeconds === null) return null
	const { endsAt } = timesOf(fields, estimate)
	return (
		<>
			<Line
				name="Sending time"
				value={
					<>
						{durationText(durationSeconds)}
						{messagesPerSecond !== null && (
							<small className="fine">at {paceText(messagesPerSecond)}, the sending speed of your number</small>
						)}
					</>
				}
			/>
			{endsAt && <Line name="Expected end" value={`${formatDateTime(endsAt)} IST`} />}
		</>
	)
}

function Cost({ estimate }: { estimate: CampaignEstimate }) {
	return (
		<>
			<Money rupees={estimate.cost} />
			<small className="fine">
				{formatCount(estimate.recipients)} × {formatRupees(estimate.price)}
			</small>
		</>
	)
}

interface LineProps {
	name: string
	value: React.ReactNode
	strong?: boolean
	isBad?: boolean
}

function Line({ name, value, strong = false, isBad = false }: LineProps) {
	return (
		<div data-strong={strong} data-bad={isBad}>
			<dt>{name}</dt>
			<dd>{value}</dd>
		</div>
	)
}
