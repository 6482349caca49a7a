import { Alert, NumberInput } from '@mantine/core'
import { IconDatabaseImport } from '@tabler/icons-react'
import * as z from 'zod/mini'
import { campaigns, type CampaignDetail } from '#features/campaigns/contract.ts'
import { formatDateTime } from '#lib/dates.ts'
import { formatCount, plural } from '#lib/numbers.ts'
import { call } from '#lib/web/api.ts'
import { useSchemaForm } from '#lib/web/form.ts'
import { invalidate } from '#lib/web/query.ts'
import { briefToast } from '#lib/web/toast.tsx'
import { SubmitButton } from '#lib/web/ui/form/form-buttons.tsx'
import { Form } from '#lib/web/ui/form/form.tsx'

type Restored = NonNullable<CampaignDetail['restored']>

/** Asks how many messages of a restored campaign count as sent, before it can be resumed or cancelled. */
export function RestoredChoice({ campaign, restored }: { campaign: CampaignDetail; restored: Restored }) {
	const { _id, totalCount } = campaign
	const { at, claimedThrough, reportedThrough } = restored
	const between = `Enter a number from ${formatCount(claimedThrough)} to ${formatCount(totalCount)}`
	const state = useSchemaForm({
		schema: z.object({
			sentThrough: z.int({ error: between }).check(z.minimum(claimedThrough, between), z.maximum(totalCount, between)),
		}),
		initialValues: { sentThrough: reportedThrough },
		submit: (body) => call(campaigns.decideRestored, { params: { id: _id }, body }),
		saved: async ({ message }) => {
			briefToast.success(message)
			await invalidate(campaigns.refresh, campaigns.list)
		},
		failed: (error) => briefToast.failure(error, 'Your choice could not be saved'),
	})
	return (
		<Alert
			title="How much of this campaign was sent?"
			color="marigold"
			icon={<IconDatabaseImport size={20} aria-hidden />}
		>
			<Form state={state}>
				<p>
					The server was restored from a backup on {formatDateTime(at)} IST. By that backup{' '}
					{formatCount(claimedThrough)} of {plural(totalCount, 'message')} had been sent; more may have gone out after
					it.{' '}
					{reportedThrough > claimedThrough
						? `WhatsApp has since reported on message ${formatCount(reportedThrough)}, so at least that many were sent.`
						: 'WhatsApp has not reported on any later one so far.'}
				</p>
				<NumberInput
					label="Messages that count as sent"
					description="These are not sent again, and are charged unless WhatsApp reports a failure. The others are sent when you resume. If you are not sure, enter more: with fewer, some people may get the message twice."
					min={claimedThrough}
					max={totalCount}
					clampBehavior="none"
					allowDecimal={false}
					thousandSeparator=","
					thousandsGroupStyle="lakh"
					maw={560}
					{...state.form.getInputProps('sentThrough')}
				/>
				<SubmitButton busyText="Saving..." w={120}>
					Save
				</SubmitButton>
			</Form>
		</Alert>
	)
}
