import type { CampaignEstimate } from '#features/campaigns/preflight-contract.ts'
import { formatDateTime } from '#lib/dates.ts'
import { durationText } from '#lib/durations.ts'
import { formatRupees } from '#lib/money.ts'
import { formatCount } from '#lib/numbers.ts'
import { ConfirmDialog } from '#lib/web/ui/feedback/confirm-dialog.tsx'
import { UserText } from '#lib/web/ui/value/user-text.tsx'
import type { CampaignFields } from '../fields/campaign-fields.ts'
import { timesOf } from '../use-estimate.ts'
import type { SummaryFacts } from './summary-lines.tsx'

const AUDIENCES = { all: 'all contacts', group: 'the group', file: 'the file', segment: 'the segment' }

interface SendQuestionProps {
	/** Null without a question. */
	estimate: CampaignEstimate | null
	fields: CampaignFields
	/** Names of the template and the audience. */
	chosen: SummaryFacts['chosen']
	onConfirm: () => void
	onClose: () => void
}

/** Asks before many messages are sent, with number, list, time and cost in one sentence. */
export function SendQuestion({ estimate, fields, chosen, onConfirm, onClose }: SendQuestionProps) {
	return (
		<ConfirmDialog
			dialog={{ opened: estimate !== null, close: onClose }}
			title="Send this campaign?"
			confirm="Send Campaign"
			onConfirm={onConfirm}
		>
			{estimate && (
				<p>
					<b>{formatCount(estimate.recipients)} messages</b> with the template <b>{chosen.template}</b> will be sent{' '}
					{whenText(fields, estimate)} to {AUDIENCES[fields.audienceType]}{' '}
					{fields.audienceType !== 'all' && (
						<b>
							<UserText text={chosen.audience ?? ''} />
						</b>
					)}{' '}
					for <b>{formatRupees(estimate.cost)}</b>
					{durationOf(estimate)}. You can’t recall messages once sent.
				</p>
			)}
		</ConfirmDialog>
	)
}

function durationOf({ plan, durationSeconds }: CampaignEstimate): string {
	if (plan && plan.days > 1)
		return `. Under WhatsApp’s daily limit this takes about ${plan.days} days, until ${formatDateTime(plan.until)} IST`
	return durationSeconds === null ? '' : `, which takes ${durationText(durationSeconds)}`
}

/** Returns "now" or the time, which may be the end of the quiet hours. */
function whenText(fields: CampaignFields, estimate: CampaignEstimate): string {
	const { startsAt, isAfterQuietHours } = timesOf(fields, estimate)
	if (startsAt === null) return 'now'
	return `on ${formatDateTime(startsAt)} IST${isAfterQuietHours ? ', when your quiet hours are over,' : ''}`
}
