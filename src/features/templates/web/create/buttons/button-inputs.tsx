import { Button, Switch } from '@mantine/core'
import type { GetInputPropsReturnType } from '@mantine/form'
import { IconPlus } from '@tabler/icons-react'
import { exampleUrl } from '#features/templates/button-rules.ts'
import { isHttp } from '#features/templates/counted-link.ts'
import { MAX_BUTTON_TEXT_LENGTH } from '#features/templates/limits.ts'
import { HintedInput } from '../field-hints.tsx'
import type { ButtonFields } from '../template-fields.ts'

type TextName = 'text' | 'url' | 'url_example' | 'phone_number' | 'code_example'

interface ButtonInputsProps {
	button: ButtonFields
	onChange: (change: Partial<ButtonFields>) => void
	inputProps: (field: TextName) => GetInputPropsReturnType
	hints: (field: TextName) => readonly string[]
	/** True for a button of WhatsApp's library, whose text cannot be changed. */
	isTextFixed?: boolean
}

/** Renders the inputs of one button, by its type. */
export function ButtonInputs({ isTextFixed = false, ...props }: ButtonInputsProps) {
	const { button } = props
	if (button.type === 'COPY_CODE')
		return (
			<TextField
				{...props}
				field="code_example"
				label="Example of the code"
				placeholder="DIWALI25"
				description="Campaigns fill in the real code. WhatsApp sets the button text."
			/>
		)
	if (button.type === 'REQUEST_CONTACT_INFO')
		return (
			<p className="small secondary">
				WhatsApp sets the text of this button. A person who taps it sends you their phone number.
			</p>
		)
	return (
		<>
			{!isTextFixed && (
				<TextField
					{...props}
					field="text"
					label="Button text"
					placeholder={PLACEHOLDERS[button.type]}
					max={MAX_BUTTON_TEXT_LENGTH}
				/>
			)}
			{button.type === 'URL' && <UrlInputs {...props} />}
			{button.type === 'PHONE_NUMBER' && <PhoneInput {...props} />}
		</>
	)
}

const PLACEHOLDERS = { QUICK_REPLY: 'Yes, please', URL: 'Shop now', PHONE_NUMBER: 'Call us' }

function UrlInputs(props: Omit<ButtonInputsProps, 'isTextFixed'>) {
	const { button, onChange } = props
	const hasVariable = button.url.includes('{{')
	return (
		<>
			<div>
				<TextField {...props} field="url" label="URL" type="url" placeholder="https://example.com/offers" />
				{!hasVariable && (
					<Button
						mt={4}
						variant="subtle"
						size="compact-sm"
						leftSection={<IconPlus size={16} aria-hidden />}
						onClick={() => onChange({ url: `${button.url.trimEnd()}{{1}}` })}
					>
						Add variable at the end
					</Button>
				)}
			</div>
			{!hasVariable && (
				<Switch
					label="Count who clicks"
					description={
						isHttp(button.url)
							? 'Needs an address that starts with https://.'
							: 'Count clicks on this button and show who clicked in the report.'
					}
					checked={button.count_clicks && !isHttp(button.url)}
					disabled={isHttp(button.url)}
					onChange={(event) => onChange({ count_clicks: event.currentTarget.checked })}
				/>
			)}
			{hasVariable && (
				<TextField
					{...props}
					field="url_example"
					label="Example for {{1}} of the URL"
					placeholder="diwali"
					description={button.url_example.trim() && `WhatsApp reviews ${exampleUrl(button)}`}
				/>
			)}
		</>
	)
}

function PhoneInput(props: Omit<ButtonInputsProps, 'isTextFixed'>) {
	const typed = props.button.phone_number.trim()
	const isIndian = typed !== '' && !typed.startsWith('+')
	return (
		<TextField
			{...props}
			field="phone_number"
			label="Phone number"
			type="tel"
			placeholder="98765 43210 or +971 50 123 4567"
			description={isIndian ? 'Without a country code, we add +91 (India).' : undefined}
			leftSection={isIndian ? '+91' : undefined}
		/>
	)
}

interface TextFieldProps extends Omit<ButtonInputsProps, 'isTextFixed'> {
	field: TextName
	label: string
	placeholder: string
	type?: string
	description?: string | undefined
	leftSection?: string | undefined
	max?: number
}

function TextField(props: TextFieldProps) {
	const { button, onChange, inputProps, hints, field, leftSection, ...shown } = props
	return (
		<HintedInput
			required
			{...shown}
			{...(leftSection && { leftSection, leftSectionWidth: 44 })}
			{...inputProps(field)}
			value={button[field]}
			onChange={(event) => onChange({ [field]: event.currentTarget.value })}
			hints={hints(field)}
		/>
	)
}
