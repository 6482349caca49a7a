import { Box, Radio } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { lazy, Suspense } from 'react'
import { plural } from '#lib/numbers.ts'
import { latePart } from '#lib/web/ui/late-part.tsx'
import type { AudienceFile } from '../file/use-audience-file.ts'
import { useFirstContacts } from '../use-estimate.ts'
import type { CampaignFields } from './campaign-fields.ts'

// Loaded late, because most campaigns go to contacts and read no file.
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
	const { audienceType, templateId } = form.values
	const all = useFirstContacts('').data?.total
	return (
		<>
			<Radio.Group label="Who receives it" {...form.getInputProps('audienceType')}>
				<Box className="abreast" mt={8} style={{ '--least': '260px', gap: '12px 16px' }}>
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
				</Box>
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
		</>
	)
}
