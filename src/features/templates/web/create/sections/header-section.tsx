import { Group, Radio } from '@mantine/core'
import { isMediaHeader, MAX_HEADER_LENGTH } from '#features/templates/limits.ts'
import { variablesIn } from '#features/templates/placeholders.ts'
import { FormSection } from '#lib/web/ui/form-section.tsx'
import { HeaderFile, type HeaderFiles } from '../header-file.tsx'
import { HEADER_FILE, kindOf } from '../template-fields.ts'
import { Examples } from '../text/examples.tsx'
import { VariableTextField } from '../text/variable-text.tsx'
import type { SectionProps } from './section-props.ts'

const TYPES = [
	{ value: 'NONE', label: 'None' },
	{ value: 'TEXT', label: 'Text' },
	{ value: 'IMAGE', label: 'Image' },
	{ value: 'VIDEO', label: 'Video' },
	{ value: 'DOCUMENT', label: 'Document' },
	{ value: 'LOCATION', label: 'Location' },
] as const

const OFFER_TYPES: readonly string[] = ['NONE', 'IMAGE', 'VIDEO']

export interface HeaderSectionProps extends SectionProps {
	files: HeaderFiles
}

export function HeaderSection({ form, hints, files }: HeaderSectionProps) {
	const { header_type, header_text, header_from } = form.values
	const headerFile = files.at(HEADER_FILE)
	const isOffer = kindOf(form.values) === 'LIMITED_TIME_OFFER'
	const types = TYPES.filter(({ value }) => !isOffer || OFFER_TYPES.includes(value))
	const isDone =
		header_type === 'TEXT'
			? header_text.trim() !== ''
			: header_type === 'LOCATION' || (header_type !== 'NONE' && (headerFile.file ?? header_from))
	return (
		<FormSection number={2} title="Header" done={Boolean(isDone)}>
			<Radio.Group
				label="Header type"
				{...form.getInputProps('header_type')}
				onChange={(type: typeof header_type) => {
					form.setFieldValue('header_type', type)
					form.clearFieldError('header_file')
					headerFile.choose(null)
				}}
			>
				<Group gap="8px 24px" mt={8}>
					{types.map((choice) => (
						<Radio key={choice.value} {...choice} />
					))}
				</Group>
			</Radio.Group>
			{header_type === 'TEXT' && <HeaderText form={form} hints={hints} />}
			{header_type === 'LOCATION' && (
				<p className="quiet">A map above the text. You enter the place when you create the campaign.</p>
			)}
			{isMediaHeader(header_type) && (
				<HeaderFile
					key={header_type}
					form={form}
					type={header_type}
					headerFile={headerFile}
					path="header_file"
					isReused={header_from !== ''}
				/>
			)}
		</FormSection>
	)
}

function HeaderText({ form, hints }: SectionProps) {
	const { header_text, header_example } = form.values
	const variables = variablesIn(header_text)
	return (
		<>
			<VariableTextField
				label="Header text"
				placeholder="Short and bold above the message"
				value={{ text: header_text, examples: [header_example] }}
				onChange={({ text, examples: [example = ''] }) => {
					form.setFieldValue('header_text', text)
					form.setFieldValue('header_example', example)
				}}
				inputProps={form.getInputProps('header_text')}
				max={MAX_HEADER_LENGTH}
				hints={hints('header_text')}
				canAdd={variables.length === 0}
			/>
			<Examples
				variables={variables.slice(0, 1)}
				of="of the header"
				examples={[header_example]}
				onChange={([example = '']) => form.setFieldValue('header_example', example)}
				inputProps={() => form.getInputProps('header_example')}
				hints={() => hints('header_example')}
			/>
		</>
	)
}
