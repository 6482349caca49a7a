import type { Violation } from '../violations.ts'

const FOLDER = 'src/features/contacts/server'
/** Returns a test file with one test of this title. */
const titled = (title: string) => `import { test } from 'node:test'\n\ntest(${title}, () => {})\n`

/** Comments without a subject or with vague words, in every place where comments are read. */
export const wordViolations: Violation[] = [
	{
		path: `${FOLDER}/fragment.ts`,
		text: '/** What it costs. */\nexport const price = 1\n',
		message: /"What …" has no subject/,
	},
	{
		path: `${FOLDER}/lines.ts`,
		text: 'export const price = 1 // Of one message.\n',
		message: /"Of …" has no subject/,
	},
	{
		path: `${FOLDER}/block.ts`,
		text: '/**\n * Returns the names of the contacts, each\n * by\n * itself.\n */\nexport const names = []\n',
		message: /"by itself" is vague/,
	},
	{
		path: `${FOLDER}/continued.ts`,
		text: '// Waits until the contact\n// stands in the list.\nexport {}\n',
		message: /"stands" is vague/,
	},
	{ path: `${FOLDER}/title.test.ts`, text: titled("'somebody signs in'"), message: /"somebody" is vague/ },
	{ path: `${FOLDER}/template.test.ts`, text: titled('`${role} is told the price`'), message: /"told" is vague/ },
	{ path: 'test/whoever.ts', text: '/* Whoever asks. */\nexport {}\n', message: /"Whoever" is vague/ },
	{
		path: `${FOLDER}/query.ts`,
		text: 'export const query = `\n\tselect 1\n\t-- Those of one account.\n`\n',
		message: /"Those …" has no subject/,
	},
	{ path: 'db/citus.sql', text: '-- Which machine has what.\nselect 1;\n', message: /"Which …" has no subject/ },
]

/** Texts, patterns and names that resemble such comments, and comments whose later lines start with these words. */
export const allowedWords: { path: string; text: string }[] = [
	{
		path: 'src/lib/words.ts',
		text: "export const GLOBS = ['src/**/*.ts', 'nobody/*']\nexport const SLASHES = /\\/\\/ What/\nexport const url = 'https://So'\n",
	},
	{
		path: 'src/lib/later.ts',
		text: '// Returns the price that the contact pays.\n// As a number of paise.\nexport {}\n',
	},
	{ path: 'src/lib/told.test.ts', text: titled("'listContacts returns what was stored'") },
	{ path: 'db/migrations/0995_words.sql', text: '-- What nobody reads.\n' },
]
