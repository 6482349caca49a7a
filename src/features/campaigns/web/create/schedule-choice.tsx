import { Group, Radio, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { indianDay } from '#lib/dates.ts'
import { FormSection } from '#lib/web/ui/form-section.tsx'
import { useNow } from '#lib/web/ui/use-now.ts'
import { scheduleDatetime, type CampaignFields } from './campaign-fields.ts'
import styles from './create-campaign.module.css'

interface ScheduleChoiceProps {
	form: UseFormReturnType<CampaignFields>
}

export function ScheduleChoice({ form }: ScheduleChoiceProps) {
	const { schedule } = form.values
	const today = indianDay(useNow())
	return (
		<FormSection number={4} title="Schedule" done={schedule === 'now' || scheduleDatetime(form.values) !== null}>
			<Radio.Group label="When it is sent" {...form.getInputProps('schedule')}>
				<Group gap={24} mt={8}>
					<Radio value="now" label="Send now" />
					<Radio value="later" label="Schedule for later" />
				</Group>
			</Radio.Group>
			{schedule === 'later' && (
				<div className={styles.moment}>
					<TextInput label="Date" type="date" min={today} required {...form.getInputProps('date')} />
					<TextInput label="Time" type="time" required description="Indian time" {...form.getInputProps('time')} />
				</div>
			)}
		</FormSection>
	)
}
