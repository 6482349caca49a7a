import { Group, Radio, TextInput } from '@mantine/core'
import type { GetInputPropsReturnType } from '@mantine/form'
import { useState } from 'react'
import { changedChoices, type CampaignFields } from './campaign-fields.ts'

interface AdvancedFieldsProps {
	fields: CampaignFields
	inputProps: (field: keyof CampaignFields) => GetInputPropsReturnType
}

const FIELDS = ['holdOutPercent', 'recipientOrder', 'dailyStart'] as const

/** Shows the choices that few campaigns need, folded to a line that names those that are not the default. */
export function AdvancedFields({ fields, inputProps }: AdvancedFieldsProps) {
	const [isUnfolded, setUnfolded] = useState(false)
	const percent = inputProps('holdOutPercent')
	const changed = changedChoices(fields)
	const isFaulty = FIELDS.some((field) => Boolean(inputProps(field).error))
	return (
		<details
			className="unfolds"
			// An input with an error is never folded away.
			open={isUnfolded || isFaulty}
			onToggle={(event) => setUnfolded(event.currentTarget.open)}
		>
			<summary>
				Advanced <span className="quiet">{changed.join(' · ') || 'test group, order, daily start'}</span>
			</summary>
			<div className="stack">
				<TextInput
					label="Leave out for comparison (test group)"
					description="We pick 1–50% at random and do not message them, so you can see what the campaign added."
					placeholder="0"
					inputMode="numeric"
					rightSection="%"
					autoComplete="off"
					{...percent}
					onChange={({ currentTarget: { value } }) => setTo(percent, /^\d{1,10}$/.test(value) ? Number(value) : value)}
				/>
				<Radio.Group label="Send first to" {...inputProps('recipientOrder')}>
					<Group gap="8px 24px" mt={8}>
						<Radio value="list" label="People in the order of the list" />
						<Radio value="engaged" label="People who read, replied or clicked in the last 90 days" />
					</Group>
				</Radio.Group>
				<TextInput
					type="time"
					label="If it takes more than a day, start each day at (IST)"
					description="Leave empty to continue as soon as WhatsApp allows."
					styles={{ input: { maxWidth: 260 } }}
					{...inputProps('dailyStart')}
				/>
			</div>
		</details>
	)
}

function setTo({ onChange }: GetInputPropsReturnType, value: number | string): void {
	const set = onChange as (value: number | string) => void
	set(value)
}
