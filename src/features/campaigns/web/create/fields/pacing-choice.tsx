import { Group, Radio, TextInput } from '@mantine/core'
import type { GetInputPropsReturnType } from '@mantine/form'
import type { CampaignEstimate } from '#features/campaigns/preflight-contract.ts'
import { planText } from '#features/delivery/web/parts.tsx'
import type { CampaignFields } from './campaign-fields.ts'
import styles from '../create-campaign.module.css'

interface PacingChoiceProps {
	estimate: Pick<CampaignEstimate, 'plan' | 'recipients'>
	/** Returns the props of the inputs. */
	inputProps: (field: keyof CampaignFields) => GetInputPropsReturnType
}

/** Shows the plan of a campaign under WhatsApp's limit, with its choices folded away unless it needs several days. */
export function PacingChoice({ estimate: { plan, recipients }, inputProps }: PacingChoiceProps) {
	if (plan === null || recipients === 0) return null
	const needsDays = plan.days > 1
	return (
		<div className={styles.pacing}>
			{needsDays && (
				<p role="status">
					<b>{planText(recipients, plan)}.</b> Each day WhatsApp lets a part through. The rest waits and is sent by
					itself.
				</p>
			)}
			<details open={needsDays}>
				<summary>Sending over several days</summary>
				<div className="stack">
					<Radio.Group label="Who comes first" {...inputProps('recipientOrder')}>
						<Group gap="8px 24px" mt={8}>
							<Radio value="list" label="The order of the list" />
							<Radio value="engaged" label="Who read, replied or clicked in the last 90 days" />
						</Group>
					</Radio.Group>
					<TextInput
						type="time"
						label="Continue each day from"
						description="Indian time. Empty: as soon as WhatsApp allows more."
						maw={260}
						{...inputProps('dailyStart')}
					/>
				</div>
			</details>
		</div>
	)
}
