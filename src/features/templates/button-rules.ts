import { bareNumber } from '#lib/phone/phone-text.ts'
import { countCharacters } from '#lib/text/characters.ts'
import type { TemplateButton } from './contract.ts'
import { MAX_COUNTED_URL_LENGTH, plainTarget } from './counted-link.ts'
import {
	MAX_BUTTON_TEXT_LENGTH,
	MAX_BUTTONS,
	MAX_CODE_BUTTONS,
	MAX_PHONE_BUTTONS,
	MAX_PHONE_LENGTH,
	MAX_SAFE_CODE_LENGTH,
	MAX_URL_BUTTONS,
	MAX_URL_LENGTH,
} from './limits.ts'
import { hasStrayBraces, variablesIn } from './placeholders.ts'
import { plainTextFault } from './plain-text.ts'

export interface TemplateProblem {
	/** Field of the form and the request: `body_text`, or `buttons.0.url` for one button's URL. */
	field: string
	message: string
}

export const EXAMPLE_MISSING = 'All variables must have example values'

const MAX_OF_TYPE: Partial<Record<TemplateButton['type'], [max: number, message: string]>> = {
	URL: [MAX_URL_BUTTONS, `Maximum ${MAX_URL_BUTTONS} URL buttons allowed`],
	PHONE_NUMBER: [MAX_PHONE_BUTTONS, `Maximum ${MAX_PHONE_BUTTONS} phone number button allowed`],
	COPY_CODE: [MAX_CODE_BUTTONS, `Maximum ${MAX_CODE_BUTTONS} copy code button allowed`],
	REQUEST_CONTACT_INFO: [1, 'Maximum 1 button that asks for the phone number allowed'],
}

/** Returns the number of a call button in Meta's form, a plus and digits. A number without a plus gets +91. */
export function withCountryCode(phone: string): string {
	const plain = bareNumber(phone)
	return plain === '' || plain.startsWith('+') ? plain : `+91${plain}`
}

/** Returns the example URL of a button for Meta's review, with the example in place of the variable. */
export function exampleUrl({ url = '', url_example = '' }: TemplateButton): string {
	const example = url_example.trim()
	const [base = ''] = url.trim().split('{{')
	return example.startsWith(base) ? example : base + example
}

/** Returns the problems of the buttons: first the rules about all of them, then each button's in order. */
export function buttonProblems(buttons: readonly TemplateButton[]): TemplateProblem[] {
	const problems: TemplateProblem[] = []
	if (buttons.length > MAX_BUTTONS) {
		problems.push({ field: 'buttons', message: `Maximum ${MAX_BUTTONS} buttons allowed` })
	}
	for (const [type, [max, message]] of Object.entries(MAX_OF_TYPE)) {
		if (buttons.filter((button) => button.type === type).length > max) problems.push({ field: 'buttons', message })
	}
	if (!areRepliesTogether(buttons)) {
		problems.push({ field: 'buttons', message: 'Quick replies must stand together, before or after the other buttons' })
	}
	return problems.concat(
		buttons.flatMap((button, index) =>
			Object.entries({ ...twinProblem(buttons, index), ...problemsOf(button) }).map(([part, message]) => ({
				field: `buttons.${index}.${part}`,
				message,
			})),
		),
	)
}

/**
 * Returns true when the quick replies form one group, that is when the list changes at most once between quick replies
 * and other buttons.
 */
function areRepliesTogether(buttons: readonly TemplateButton[]): boolean {
	const isReply = buttons.map(({ type }) => type === 'QUICK_REPLY')
	return isReply.filter((reply, index) => index > 0 && reply !== isReply[index - 1]).length < 2
}

/**
 * Returns a problem when an earlier quick reply has the same text. WhatsApp reports only the text of a tapped quick
 * reply.
 */
function twinProblem(buttons: readonly TemplateButton[], index: number): Record<string, string> {
	const texts = buttons.map(replyKey)
	const isTwin = texts[index] !== '' && texts.indexOf(texts[index] ?? '') < index
	return isTwin ? { text: 'Another quick reply has this text. Give each its own.' } : {}
}

/** Returns the text by which quick replies are compared; empty for other buttons. */
function replyKey({ type, text = '' }: TemplateButton): string {
	return type === 'QUICK_REPLY' ? text.normalize('NFC').trim().toLowerCase() : ''
}

function problemsOf(button: TemplateButton): Record<string, string> {
	if (button.type === 'COPY_CODE') return codeProblem(button)
	// WhatsApp sets the text of this button.
	if (button.type === 'REQUEST_CONTACT_INFO') return {}
	return { ...textProblem(button), ...(button.type === 'URL' && urlProblem(button)), ...phoneProblem(button) }
}

function textProblem({ text = '' }: TemplateButton): Record<string, string> {
	if (text.trim() === '') return { text: 'Button text is required' }
	const problem = buttonTextProblem(text.trim())
	return problem ? { text: problem } : {}
}

/** Returns the reason why WhatsApp refuses the trimmed text of a button; false when it accepts it. */
export function buttonTextProblem(text: string): string | false {
	if (countCharacters(text) > MAX_BUTTON_TEXT_LENGTH)
		return `Button text can have at most ${MAX_BUTTON_TEXT_LENGTH} characters`
	if (/\{\{|\}\}|[\n\r]/.test(text)) return 'Button text cannot hold variables or line breaks'
	return plainTextFault('Button text', text)
}

function urlProblem(button: TemplateButton): Record<string, string> {
	const url = (button.url ?? '').trim()
	if (url === '') return { url: 'URL is required for URL button' }
	if (countCharacters(url) > MAX_URL_LENGTH) return { url: `A URL can have at most ${MAX_URL_LENGTH} characters` }
	if (!/^https?:\/\/[^\s/{}]+/i.test(url) || /\s/.test(url)) {
		return { url: 'Please enter a full address that starts with https://' }
	}
	const isFixed = variablesIn(url).length === 0 && !hasStrayBraces(url)
	if (button.count_clicks) return countedProblem(url, isFixed)
	if (isFixed) return {}
	if (!/^[^{}]+\{\{1\}\}$/.test(url)) return { url: 'A URL can hold one variable, {{1}}, at its very end' }
	if (/^https?:\/\/[^/]*\{\{/i.test(url))
		return { url: 'The variable must stand after the domain: https://example.com/{{1}}' }
	if ((button.url_example ?? '').trim() === '') return { url_example: EXAMPLE_MISSING }
	if (/\s/.test(exampleUrl(button))) return { url_example: 'An example for a URL cannot hold spaces' }
	return {}
}

function countedProblem(url: string, isFixed: boolean): Record<string, string> {
	if (!isFixed) return { url: 'A link whose clicks are counted cannot hold a variable' }
	const target = plainTarget(url)
	if (target === null) return { url: 'Please enter a full address that starts with https://' }
	if (countCharacters(target) <= MAX_COUNTED_URL_LENGTH) return {}
	return { url: `A link whose clicks are counted can have at most ${MAX_COUNTED_URL_LENGTH} characters` }
}

function phoneProblem({ type, phone_number = '' }: TemplateButton): Record<string, string> {
	if (type !== 'PHONE_NUMBER') return {}
	const phone = withCountryCode(phone_number)
	if (phone === '') return { phone_number: 'Phone number is required for Phone Number button' }
	if (phone.length > MAX_PHONE_LENGTH) {
		return { phone_number: `A phone number can have at most ${MAX_PHONE_LENGTH} characters` }
	}
	return /^\+[1-9]\d{5,}$/.test(phone) ? {} : { phone_number: 'Invalid phone number format' }
}

function codeProblem({ code_example = '' }: TemplateButton): Record<string, string> {
	const code = code_example.trim()
	if (code === '') return { code_example: 'Please enter an example of the code' }
	if (countCharacters(code) > MAX_SAFE_CODE_LENGTH)
		return { code_example: `An example of the code can have at most ${MAX_SAFE_CODE_LENGTH} characters` }
	return {}
}
