import { ActionIcon, Button, Group, Textarea, TextInput } from '@mantine/core'
import type { GetInputPropsReturnType } from '@mantine/form'
import { IconBold, IconCode, IconItalic, IconPlus, IconStrikethrough } from '@tabler/icons-react'
import { useRef } from 'react'
import { flushSync } from 'react-dom'
import { Counter } from '../counter.tsx'
import { FieldHints } from '../field-hints.tsx'
import { editText, insertVariable, toggleMark, type VariableText } from './variables.ts'

const FORMATS = [
	{ mark: '*', label: 'Bold', Icon: IconBold },
	{ mark: '_', label: 'Italic', Icon: IconItalic },
	{ mark: '~', label: 'Strikethrough', Icon: IconStrikethrough },
	{ mark: '```', label: 'Monospace', Icon: IconCode },
] as const

interface VariableTextFieldProps {
	label: string
	placeholder: string
	value: VariableText
	onChange: (value: VariableText) => void
	/** The form's input props of the field: path and error. */
	inputProps: GetInputPropsReturnType
	max: number
	hints: readonly string[]
	/** True for a body: several lines, and buttons for WhatsApp's formatting. */
	isBody?: boolean
	/** Lines of an empty body. */
	lines?: number
	isOptional?: boolean
	canAdd: boolean
}

/** Renders a text field with a button that inserts a variable at the caret. */
export function VariableTextField(props: VariableTextFieldProps) {
	const {
		label,
		placeholder,
		value,
		onChange,
		inputProps,
		max,
		hints,
		isBody = false,
		lines = 5,
		isOptional,
		canAdd,
	} = props
	const field = useRef<HTMLInputElement & HTMLTextAreaElement>(null)
	const selection = () => {
		const from = field.current?.selectionStart ?? value.text.length
		return { from, to: field.current?.selectionEnd ?? from }
	}
	/** Renders the new text synchronously (`flushSync`), because the caret can only be set once the field has it. */
	const change = (next: VariableText, { from, to }: { from: number; to: number }) => {
		flushSync(() => onChange({ text: next.text, examples: next.examples }))
		field.current?.focus()
		field.current?.setSelectionRange(from, to)
	}
	const type = (event: React.ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) => {
		const { value: text, selectionStart } = event.currentTarget
		const edited = editText(value, { text, caret: selectionStart ?? text.length })
		if (edited.text === text) onChange({ text, examples: edited.examples })
		else change(edited, { from: edited.caret, to: edited.caret })
	}
	const insert = () => {
		const edited = insertVariable(value, selection())
		change(edited, { from: edited.caret, to: edited.caret })
	}
	const format = (mark: string) => {
		const { text, from, to } = toggleMark(value.text, selection(), mark)
		change({ text, examples: value.examples }, { from, to })
	}
	const shared = { label, placeholder, required: !isOptional, ...inputProps, value: value.text, onChange: type }
	return (
		<div>
			{isBody ? (
				<Textarea ref={field} minRows={lines} maxRows={14} {...shared} />
			) : (
				<TextInput ref={field} autoComplete="off" {...shared} />
			)}
			<Group gap={4} mt={4}>
				{isBody && <Formats onChoose={format} />}
				<Button
					variant="subtle"
					size="compact-sm"
					px={6}
					leftSection={<IconPlus size={16} aria-hidden />}
					disabled={!canAdd}
					onClick={insert}
				>
					Add variable
				</Button>
				<Counter text={value.text} max={max} />
			</Group>
			<FieldHints hints={hints} />
		</div>
	)
}

function Formats({ onChoose }: { onChoose: (mark: string) => void }) {
	return (
		<Group gap={0} align="stretch" wrap="nowrap" role="group" aria-label="Formatting">
			{FORMATS.map(({ mark, label: name, Icon }) => (
				<ActionIcon title={name} key={mark} color="gray" size={28} aria-label={name} onClick={() => onChoose(mark)}>
					<Icon size={17} aria-hidden />
				</ActionIcon>
			))}
		</Group>
	)
}
