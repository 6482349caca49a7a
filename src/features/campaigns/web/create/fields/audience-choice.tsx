import { Radio, Stack, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { lazy, Suspense } from 'react'
import { plural } from '#lib/numbers.ts'
import { FormSection } from '#lib/web/ui/form-section.tsx'
import { latePart } from '#lib/web/ui/late-part.tsx'
import type { AudienceFile } from '../file/use-audience-file.ts'
import { useFirstContacts } from '../use-estimate.ts'
import type { CampaignFields } from './campaign-fields.ts'

// Loaded late, as most campaigns go to contacts and read no file.
const AudienceFileChoice = lazy(async () => ({
	default: (await import('../file/audience-file.tsx')).AudienceFileChoice,
}))

const GroupChoice = latePart(() => import('./list-choices.tsx').then((module) => module.GroupChoice))
const SegmentChoice = latePart(() => import('./list-choices.tsx').then((module) => module.SegmentChoice))

interface AudienceChoiceProps {
	form: UseFormReturnType<CampaignFields>
	audience: AudienceFile
}

export function AudienceChoice({ form, audience }: AudienceChoiceProps) {
	const { audienceType, selectedGroup, segmentId, templateId } = form.values
	const all = useFirstContacts('').data?.total
	const inGroup = useFirstContacts(selectedGroup).data?.total
	const sizes = {
		all,
		group: selectedGroup ? inGroup : 0,
		file: audience.analysis?.counts.valid,
		segment: segmentId ? 1 : 0,
	}
	return (
		<FormSection number={3} title="Audience" done={(sizes[audienceType] ?? 0) > 0}>
			<Radio.Group label="Who receives it" {...form.getInputProps('audienceType')}>
				<Stack gap={12} mt={8}>
					<Radio
						value="all"
						label="All contacts"
						description={all === undefined ? 'Everyone in your contacts' : plural(all, 'contact')}
					/>
					<Radio value="group" label="A contact group" description="Everyone in one of your groups" />
					<Radio
						value="segment"
						label="A segment"
						description="Everyone who matches the segment at the time of sending"
					/>
					<Radio
						value="file"
						label="An uploaded file"
						description="A CSV or Excel file. Its columns can fill in your message"
					/>
				</Stack>
			</Radio.Group>
			{audienceType === 'group' && <GroupChoice form={form} />}
			{audienceType === 'segment' && <SegmentChoice form={form} />}
			{audienceType === 'file' && (
				<Suspense>
					<AudienceFileChoice
						audience={audience}
						error={form.errors['file']}
						templateId={templateId}
						onChange={() => form.clearFieldError('file')}
					/>
				</Suspense>
			)}
			<TextInput
				label="Test group"
				description="1 to 50 percent. We pick this share at random and send them nothing, so that you can see what the campaign added."
				placeholder="Nobody"
				inputMode="numeric"
				rightSection="%"
				autoComplete="off"
				{...form.getInputProps('holdOutPercent')}
				onChange={({ currentTarget: { value } }) =>
					form.setFieldValue('holdOutPercent', /^\d{1,10}$/.test(value) ? Number(value) : value)
				}
			/>
		</FormSection>
	)
}
