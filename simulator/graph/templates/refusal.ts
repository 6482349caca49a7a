import { GraphError } from '../errors.ts'

interface Refusal {
	subcode?: number
	title: string
	/** Message for end users; a product may display it. */
	message: string
}

export type Reason =
	| 'limit'
	| 'name'
	| 'too-long'
	| 'header'
	| 'body'
	| 'footer'
	| 'components'
	| 'buttons'
	| 'button-text'
	| 'ratio'
	| 'edges'
	| 'sample'
	| 'unexpected'
	| 'authentication'
	| 'library'
	| 'not-editable'
	| 'category-fixed'
	| 'edited-too-often'
	| 'disabled'
	| 'not-paused'

const REFUSALS: Record<Reason, Refusal> = {
	limit: {
		subcode: 2388019,
		title: 'Message template limit exceeded',
		message: 'The limit of message templates for this account has been reached. Delete some templates and try again.',
	},
	name: {
		subcode: 2388046,
		title: 'Name Format is Incorrect',
		message: 'The message template name can only have lowercase letters and underscores.',
	},
	'too-long': {
		subcode: 2388040,
		title: 'Character limit exceeded',
		message: 'A field of this template has more characters than allowed.',
	},
	header: {
		subcode: 2388047,
		title: 'Message header format is incorrect',
		message:
			"The message header can't have new lines, formatting characters, emojis, asterisks or more than one variable.",
	},
	body: {
		subcode: 2388072,
		title: 'Message body format is incorrect',
		message:
			'The message body is required and its variables must be numbered {{1}}, {{2}} and so on, or be named in lower case.',
	},
	footer: {
		subcode: 2388073,
		title: 'Message footer format is incorrect',
		message: "The message footer can't have variables, new lines, emojis or formatting characters.",
	},
	components: {
		subcode: 2388043,
		title: 'Message template "components" param is missing expected field(s)',
		message: 'A component of the template is missing or has a field that is missing.',
	},
	buttons: {
		title: 'Buttons are not valid',
		message: 'The buttons of this template break a rule for their kind, number or order.',
	},
	'button-text': {
		title: 'Button text format is incorrect',
		message: "Buttons can't have any variables, new lines, emojis or formatting characters.",
	},
	ratio: {
		subcode: 2388293,
		title: 'Parameters words ratio exceeds limit',
		message:
			'This template has too many variables for its length. Reduce the number of variables or lengthen the message.',
	},
	edges: {
		subcode: 2388299,
		title: 'Leading or trailing params not allowed',
		message: "Variables can't be at the start or end of the template.",
	},
	sample: {
		subcode: 2388273,
		title: 'Sample file is not valid',
		message: 'The sample of the header must be a handle from an upload of the right kind of file.',
	},
	unexpected: {
		subcode: 2388042,
		title: 'Message template "components" param contains unexpected field(s)',
		message: '',
	},
	authentication: {
		title: 'Authentication template format is incorrect',
		message: 'Authentication templates have a preset body and need exactly one one-time password button.',
	},
	library: {
		title: 'Library template is not valid',
		message: 'The template cannot be created from the template library.',
	},
	'not-editable': {
		title: "Message template can't be edited",
		message: 'Only approved, rejected and paused templates can be edited.',
	},
	'category-fixed': {
		title: "Category can't be changed",
		message: 'The category of an approved template cannot be changed.',
	},
	'edited-too-often': {
		title: 'Too many edits',
		message: 'An approved template can be edited once in 24 hours and ten times in 30 days.',
	},
	disabled: {
		title: "Message template can't be deleted",
		message: 'A disabled template cannot be deleted.',
	},
	'not-paused': {
		title: 'Message template is not paused',
		message: 'Only paused templates can be unpaused.',
	},
}

/** Returns the error for an invalid template: code 100, a subcode and a message for end users. */
export function refusal(reason: Reason, more?: string): GraphError {
	const { subcode, title, message } = REFUSALS[reason]
	return new GraphError(100, {
		message: 'Invalid parameter',
		...(subcode === undefined ? {} : { subcode }),
		userTitle: title,
		userMessage: more === undefined ? message : `${message} ${more}`.trim(),
	})
}

/** Returns the error for a template that exists in this language or that is still being deleted. */
export function languageTaken(language: string, isBeingDeleted: boolean): GraphError {
	const name = LANGUAGES.of(language.replace('_', '-')) ?? language
	if (!isBeingDeleted) {
		return refused(2388024, 'Content in This Language Already Exists', [
			`There is already ${name} content for this template.`,
			'You can create a new template and try again.',
		])
	}
	return refused(2388023, 'Message template language is being deleted', [
		`New ${name} content can't be added while the existing ${name} content is being deleted.`,
		'Try again in 4 weeks or consider creating a new message template.',
	])
}

const LANGUAGES = new Intl.DisplayNames(['en'], { type: 'language', languageDisplay: 'standard', style: 'short' })

export function unknownName(name: string): GraphError {
	return refused(2593002, 'Message Template Not Found', [`The message template ${name} wasn't found for this account.`])
}

function refused(subcode: number, userTitle: string, sentences: readonly string[]): GraphError {
	return new GraphError(100, { message: 'Invalid parameter', subcode, userTitle, userMessage: sentences.join(' ') })
}
